//! Which of several equally good choices sets the opponent the hardest task.
//!
//! Against perfect play all best choices are worth the same. Against others a choice is worth more if
//! many of the replies to it are mistakes.

use std::cmp::Reverse;

use merels_core::Outcome;

use crate::analysis::{Analysis, RankedChoice};
use crate::error::QueryError;
use crate::oracle::Oracle;
use crate::source::Source;

/// How easily the opponent goes wrong after a choice.
///
/// A **mistake** is a reply that is worse for the opponent than its best one, and the outcome comes
/// first: if the opponent can hold a draw, the replies that lose; if it wins, those that give the win
/// away (a win that takes longer is still a win). An opponent that loses anyway can only make a
/// mistake by losing sooner than it must.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Temptation {
    /// The choice.
    pub choice: RankedChoice,
    /// How many replies there are, each choice of a stone to remove counted; none if the game is
    /// over.
    pub replies: usize,
    /// How many of them are mistakes.
    pub mistakes: usize,
}

impl Temptation {
    fn new(choice: RankedChoice, after: &Analysis) -> Self {
        let best = after.value();
        let lost = best.outcome() == Outcome::Loss;
        let mistake = |reply: &&RankedChoice| {
            reply.value.outcome() < best.outcome() || (lost && reply.value < best)
        };
        let mistakes = after.choices().iter().filter(mistake).count();
        Self { choice, replies: after.choices().len(), mistakes }
    }

    /// How many replies are no mistakes.
    pub const fn right_replies(&self) -> usize {
        self.replies - self.mistakes
    }
}

impl<S: Source> Oracle<S> {
    /// How tempting each of the best choices of `analysis` is, in their order. Empty if the game is
    /// over.
    ///
    /// # Errors
    /// Those of [`Oracle::analyse`], for every position that a best choice leads to.
    pub fn temptations(&self, analysis: &Analysis) -> Result<Vec<Temptation>, QueryError> {
        let mut found: Vec<(usize, Temptation)> = Vec::new();
        // Choices of one class are followed by the same game: one of them is looked into.
        for (&choice, class) in analysis.best().iter().zip(analysis.classes()) {
            let temptation = match found.iter().find(|(known, _)| *known == class) {
                Some((_, twin)) => Temptation { choice, ..*twin },
                None => Temptation::new(choice, &self.analyse(choice.position)?),
            };
            found.push((class, temptation));
        }
        Ok(found.into_iter().map(|(_, temptation)| temptation).collect())
    }
}

/// The choice after which most replies are mistakes; among those the one with the fewest right
/// replies; among those any, with the same chance. None of an empty list.
///
/// A generator made with the same seed picks the same: `fastrand::Rng::with_seed(7)`.
pub fn pick<'a>(temptations: &'a [Temptation], rng: &mut fastrand::Rng) -> Option<&'a Temptation> {
    let rank = |temptation: &Temptation| (temptation.mistakes, Reverse(temptation.right_replies()));
    let highest = temptations.iter().map(rank).max();
    let highest: Vec<_> =
        temptations.iter().filter(|temptation| Some(rank(temptation)) == highest).collect();
    rng.choice(highest)
}
