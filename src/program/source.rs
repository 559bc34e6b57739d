//! Places in the files as the user wrote them.

use std::sync::Arc;

/// A stretch of one line of an original file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// Index into [`SourceMap::files`].
    pub file: u32,
    /// Line, from 1; 0 if unknown.
    pub line: u32,
    /// Byte offset in the file of the first character.
    pub offset: u32,
    /// Length in bytes.
    pub length: u32,
    /// Place in the preprocessed text: the order of what stands on one line, also if it comes out of macros.
    pub order: u32,
}

/// The original files.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    /// Name and text of each file; the one named by the user is the first.
    pub files: Vec<(String, Arc<str>)>,
}

impl SourceMap {
    /// Name and text of the file that `span` lies in.
    pub fn file(&self, span: Span) -> (&str, Arc<str>) {
        match self.files.get(span.file as usize) {
            Some((name, text)) => (name, Arc::clone(text)),
            None => ("", Arc::from("")),
        }
    }
}
