use manyfish_files::veracrypt;
use std::io::Write;
fn main() {
    for name in std::env::args().skip(1) {
        let f = std::fs::File::open(&name).unwrap();
        let t = std::time::Instant::now();
        match veracrypt::open(f, b"seven plain test words", Default::default()) {
            Ok((found, v)) => {
                println!("{name}: {} {} {} hidden {} {} bytes {:?}", found.program, found.ciphers, found.kdf, found.hidden, v.n_bytes(), t.elapsed());
                let mut d = vec![0; v.n_bytes() as usize];
                v.read_at(&mut d, 0).unwrap();
                std::fs::File::create(format!("{name}.plain")).unwrap().write_all(&d).unwrap();
            }
            Err(e) => println!("{name}: {e} {:?}", t.elapsed()),
        }
    }
}
