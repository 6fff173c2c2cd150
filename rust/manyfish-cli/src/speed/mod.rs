//! measuring
