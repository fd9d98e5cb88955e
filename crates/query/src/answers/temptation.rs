//! How hard the best choices are for the opponent.
//!
//! Against perfect play all best choices are equal. Against other players a choice is better if
//! many replies to it are mistakes.

use std::cmp::Reverse;

use merels_core::Outcome;

use crate::analysis::{Analysis, RankedChoice};
use crate::error::QueryError;
use crate::oracle::Oracle;
use crate::source::Source;

/// How easily the opponent goes wrong after a choice.
///
/// A **mistake** is a reply with a worse outcome than the opponent's best one: if the opponent can
/// draw, the replies that lose; if it can win, those that do not (a longer win is not a mistake).
/// If the opponent loses after every reply, a mistake is a reply that loses sooner than necessary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Temptation {
    /// The choice.
    pub choice: RankedChoice,
    /// The number of replies. Each choice of a stone to remove counts. 0 if the game is over.
    pub replies: usize,
    /// The number of replies that are mistakes.
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

    /// The number of replies that are not mistakes.
    pub const fn right_replies(&self) -> usize {
        self.replies - self.mistakes
    }
}

impl<S: Source> Oracle<S> {
    /// The mistakes after each of the best choices of `analysis`, in their order. Empty if the game
    /// is over.
    ///
    /// # Errors
    /// Those of [`Oracle::analyse`], for the position after every best choice.
    pub fn temptations(&self, analysis: &Analysis) -> Result<Vec<Temptation>, QueryError> {
        let mut found: Vec<(usize, Temptation)> = Vec::new();
        // The same game follows the choices of one class, so one of them is analysed.
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

/// The choice after which most replies are mistakes; among equal ones that with the fewest other
/// replies; among those a random one. None if there is no choice.
///
/// A generator with the same seed returns the same choice: `fastrand::Rng::with_seed(7)`.
pub fn pick<'a>(temptations: &'a [Temptation], rng: &mut fastrand::Rng) -> Option<&'a Temptation> {
    let rank = |temptation: &Temptation| (temptation.mistakes, Reverse(temptation.right_replies()));
    let highest = temptations.iter().map(rank).max();
    let highest: Vec<_> =
        temptations.iter().filter(|temptation| Some(rank(temptation)) == highest).collect();
    rng.choice(highest)
}
