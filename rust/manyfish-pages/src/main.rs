// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Writes the manual pages and the completions of the command, made from the definitions of its
//! arguments: `manyfish-pages FOLDER DATE` fills FOLDER/man and FOLDER/completions.

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;
use clap::{Arg, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

/// The sections of manyfish(1) that no definition of an argument says.
const SECTIONS: &str = include_str!("sections.roff");

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [folder, date] = arguments.as_slice() else { return Err("usage: FOLDER DATE".into()) };
    let mut command = manyfish_cli::definitions();
    command.build();
    write_pages(&command, &empty_folder(folder, "man")?, date)?;
    write_completions(&mut command, &empty_folder(folder, "completions")?)
}

/// Makes the folder again, so that no page of an earlier version stays.
fn empty_folder(folder: &str, name: &str) -> io::Result<PathBuf> {
    let folder = Path::new(folder).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn write_completions(command: &mut Command, folder: &Path) -> Result<(), Box<dyn Error>> {
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell] {
        clap_complete::generate_to(shell, command, "manyfish", folder)?;
    }
    Ok(())
}

/// A page for `command` and one for each of its subcommands.
fn write_pages(command: &Command, folder: &Path, date: &str) -> io::Result<()> {
    for subcommand in subcommands(command) {
        write_pages(subcommand, folder, date)?;
    }
    let version = command.get_version().unwrap_or(env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone().mut_args(values_in_a_line))
        .date(date)
        .source(format!("manyfish {version}"))
        .manual("Manyfish");
    write_page(command, &man, &mut File::create(folder.join(man.get_filename()))?)
}

fn write_page(command: &Command, man: &Man, page: &mut File) -> io::Result<()> {
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    if subcommands(command).next().is_some() {
        man.render_subcommands_section(page)?;
    }
    if command.get_name() == "manyfish" {
        return page.write_all(SECTIONS.as_bytes());
    }
    if let Some(notes) = command.get_after_help() {
        write_notes(&notes.to_string(), page)?;
    }
    page.write_all(b".SH \"SEE ALSO\"\n.BR manyfish (1)\n")
}

/// Names the values of an option behind its help; by itself a page has a paragraph for each.
fn values_in_a_line(option: Arg) -> Arg {
    let values = option.get_possible_values();
    let help = option.get_help().map(ToString::to_string).unwrap_or_default();
    let explained = values.iter().any(|value| value.get_help().is_some());
    if explained || values.is_empty() || !option.get_action().takes_values() {
        return option;
    }
    let names: Vec<_> = values.iter().map(PossibleValue::get_name).collect();
    option.help(format!("{help} [values: {}]", names.join(", "))).hide_possible_values(true)
}

/// The notes below a command's help: paragraphs, and examples that stay as they are.
fn write_notes(notes: &str, page: &mut File) -> io::Result<()> {
    let mut roff = Roff::new();
    roff.control("SH", ["NOTES"]);
    for (i, paragraph) in notes.split("\n\n").enumerate() {
        if let Some((_, lines)) = paragraph.split_once("Example:\n") {
            roff.control("SH", ["EXAMPLES"]).control("nf", []);
            roff.text([roman(lines.replace("\n    ", "\n").trim_start())]).control("fi", []);
        } else {
            if i > 0 {
                roff.control("PP", []);
            }
            roff.text([roman(paragraph)]);
        }
    }
    roff.to_writer(page)
}

fn subcommands(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|each| !each.is_hide_set() && each.get_name() != "help")
}
