//! Keeps the journal of a run, as far as the folder lets it.

use std::io;
use std::time::Instant;

use merels_core::Subspace;
use merels_db::{Digest, Folder};

use crate::full::journal::Journal;
use crate::full::verified::Progress;
use crate::observer::Observer;

/// The journal, if it can be kept.
pub(crate) struct JournalWriter<'a> {
    journal: Option<Journal>,
    observer: &'a dyn Observer,
    written: Instant,
}

impl<'a> JournalWriter<'a> {
    /// Reads the journal; with `again`, what is in it does not count.
    pub(crate) fn open(folder: &Folder, again: bool, observer: &'a dyn Observer) -> Self {
        let mut writer = Self { journal: None, observer, written: Instant::now() };
        match Journal::load(folder) {
            Ok((mut journal, void)) => {
                if void {
                    observer.note("the journal of earlier runs is damaged or of another version: nothing in it counts");
                }
                if again {
                    journal.clear();
                }
                writer.journal = Some(journal);
            }
            Err(error) => writer.give_up(&error),
        }
        writer
    }

    /// When something was written last, or when it began.
    pub(crate) const fn written(&self) -> Instant {
        self.written
    }

    /// A folder that cannot be written to can be verified all the same.
    fn give_up(&mut self, error: &io::Error) {
        self.observer.note(&format!("no journal is kept, an interrupted run starts over: {error}"));
        self.journal = None;
    }

    /// How many entries of a subspace were found right, in tables with these digests.
    pub(crate) fn done(
        &self,
        subspace: Subspace,
        digest: Digest,
        against: &[(Subspace, Digest)],
    ) -> u64 {
        self.journal.as_ref().map_or(0, |journal| journal.done(subspace, digest, against))
    }

    /// Takes down what is known of a subspace.
    pub(crate) fn record(&mut self, subspace: Subspace, progress: Progress) {
        if let Some(journal) = &mut self.journal
            && let Err(error) = journal.record(subspace, progress)
        {
            self.give_up(&error);
        }
        self.written = Instant::now();
    }
}
