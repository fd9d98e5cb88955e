//! The words of a game: one grammar for all ways of writing moves.
//!
//! A token is a point, a sign between points, or what stands around moves: numbers, comments, tags,
//! glyphs, results, parentheses. The grammar is a table of alternatives, tried in their order at
//! each place. What is none of them is a [`Kind::Word`], which the reader refuses.

use winnow::ascii::{digit1, multispace0, space0};
use winnow::combinator::{alt, delimited, eof, opt, peek, preceded, repeat, terminated};
use winnow::error::ContextError;
use winnow::prelude::*;
use winnow::stream::{AsChar, LocatingSlice, Location};
use winnow::token::{any, one_of, take_till, take_while};

type Input<'a> = LocatingSlice<&'a str>;
type Parsed<T> = Result<T, ContextError>;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind<'a> {
    /// A tag: `[Name "value"]`. The value is as written, with its escapes.
    Tag { name: &'a str, value: &'a str },
    /// A comment, without its signs.
    Comment(&'a str),
    /// A comment or a tag without an end: how it begins, and how it would end.
    Open { open: char, close: char },
    /// Digits with dots behind them: the number of a move.
    Number(&'a str),
    /// `...` without a number.
    Dots,
    /// Digits alone: the number of a move or of a point.
    Digits(&'a str),
    /// A letter and a digit: a point.
    Point(&'a str),
    /// A ring from the inside and a point of it clockwise from the top, both from 1.
    Pair(char, char),
    /// A point in parentheses: a removal, or a variation of one placing.
    InParentheses(&'a str),
    /// From point to point.
    Dash,
    /// What follows is removed.
    Removal,
    /// A word between moves that means nothing: `Place`, `from`, `and`.
    Filler,
    /// The word `to`: between two points a dash.
    To,
    /// The side whose move follows.
    Side(&'a str),
    /// A comma between moves.
    Comma,
    /// `!`, `?`, `$12`, `+-` and the like.
    Glyph,
    /// A time such as `0:05`: the numbers before and after the first colon.
    Clock(&'a str, &'a str),
    /// A result.
    Result(&'a str),
    /// The beginning of a variation.
    Begin,
    /// Its end.
    End,
    /// Anything else.
    Word,
}

/// A token with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) kind: Kind<'a>,
    pub(crate) text: &'a str,
    /// Its first byte.
    pub(crate) start: usize,
    /// Whether something stands directly before it.
    pub(crate) is_joined: bool,
}

/// All tokens of a text.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut input = LocatingSlice::new(text);
    let mut found = Vec::new();
    let mut end = 0;
    loop {
        let _: Parsed<&str> = multispace0.parse_next(&mut input);
        let start = input.current_token_start();
        if start == text.len() {
            return found;
        }
        let is_line_start = text[..start].rsplit('\n').next().is_some_and(str::is_empty);
        let kind = if is_line_start && text[start..].starts_with('%') {
            let _: Parsed<&str> = take_till(0.., '\n').parse_next(&mut input);
            Kind::Comment("")
        } else {
            token(&mut input).unwrap_or(Kind::Word)
        };
        let after = input.current_token_start();
        let is_joined = start == end && start > 0;
        found.push(Token { kind, text: &text[start..after], start, is_joined });
        end = after;
    }
}

fn token<'a>(input: &mut Input<'a>) -> Parsed<Kind<'a>> {
    alt((
        alt((comment, tag, clock, result, number, pair, in_parentheses)),
        alt((point, removal, dash, words, glyph)),
        alt((
            digits,
            '('.value(Kind::Begin),
            ')'.value(Kind::End),
            ','.value(Kind::Comma),
            ("...").value(Kind::Dots),
            '…'.value(Kind::Dots),
        )),
        other,
    ))
    .parse_next(input)
}

/// `{...}`, `; ...` to the end of the line, or `[%clk 0:05]`.
fn comment<'a>(input: &mut Input<'a>) -> Parsed<Kind<'a>> {
    alt((
        delimited('{', take_till(0.., '}'), '}').map(Kind::Comment),
        ('{', take_till(0.., '}')).value(Kind::Open { open: '{', close: '}' }),
        preceded(';', take_till(0.., '\n')).map(Kind::Comment),
        delimited("[%", take_till(0.., ']'), ']').map(Kind::Comment),
    ))
    .parse_next(input)
}

/// `[Name "value"]`, or without quotes `[Name value]`.
fn tag<'a>(input: &mut Input<'a>) -> Parsed<Kind<'a>> {
    let is_name = |found: char| found.is_alphanumeric() || found == '_' || found == '-';
    let character = alt((("\\", any).void(), take_till(1.., ['"', '\\', '\n']).void()));
    let quoted = delimited('"', repeat::<_, _, (), _, _>(0.., character).take(), '"');
    let bare = take_till(0.., ['"', ']', '[', '\n']).map(str::trim_end);
    let inside = (take_while(1.., is_name), preceded(space0, alt((quoted, bare))));
    alt((
        delimited(('[', space0), inside, (space0, ']'))
            .map(|(name, value)| Kind::Tag { name, value }),
        ('[', take_till(0.., ['\n', ']']), peek(alt((eof, "\n"))))
            .value(Kind::Open { open: '[', close: ']' }),
    ))
    .parse_next(input)
}

/// Not within a word.
fn boundary(input: &mut Input<'_>) -> Parsed<()> {
    let is_word = |found: char| found.is_alphanumeric() || found == '_';
    let next = peek(opt(any)).parse_next(input)?;
    if next.is_some_and(is_word) { Err(ContextError::new()) } else { Ok(()) }
}

/// `0:05`, `1:02:03.4`, also in parentheses or brackets.
fn clock<'a>(input: &mut Input<'a>) -> Parsed<Kind<'a>> {
    fn time<'a>(input: &mut Input<'a>) -> Parsed<Kind<'a>> {
        let digit = |found: char| found.is_ascii_digit();
        let two = move |input: &mut Input<'a>| -> Parsed<&'a str> {
            take_while(2..=2, digit).parse_next(input)
        };
        let first = take_while(1..=3, digit).parse_next(input)?;
        let second = preceded(':', two).parse_next(input)?;
        opt(preceded(':', two)).parse_next(input)?;
        opt(preceded('.', digit1)).parse_next(input)?;
        boundary(input)?;
        Ok(Kind::Clock(first, second))
    }
    alt((delimited('(', time, ')'), delimited('[', time, ']'), time)).parse_next(input)
}

fn result<'a>(input: &mut Input<'a>) -> Parsed<Kind<'a>> {
    let one = alt(("1/2-1/2", "½-½", "1-0", "0-1", "1/2", "½", "*"));
    let behind = peek(alt((
        eof.void(),
        one_of(AsChar::is_space).void(),
        one_of(['\n', '\r', '{', '[', ';', '(', ')']).void(),
    )));
    terminated(one, behind).map(Kind::Result).parse_next(input)
}

/// `12.`, `12...`, `12. ...`
fn number<'a>(input: &mut Input<'a>) -> Parsed<Kind<'a>> {
    fn dots(input: &mut Input<'_>) -> Parsed<()> {
        repeat::<_, _, (), _, _>(1.., one_of(['.', '…'])).parse_next(input)
    }
    let number = terminated(digit1, (dots, opt(preceded(space0, dots))));
    number.map(Kind::Number).parse_next(input)
}

fn digits<'a>(input: &mut Input<'a>) -> Parsed<Kind<'a>> {
    digit1.map(Kind::Digits).parse_next(input)
}

fn pair<'a>(input: &mut Input<'a>) -> Parsed<Kind<'a>> {
    let digit = |found: char| found.is_ascii_digit();
    let comma = delimited(space0, ',', space0);
    let numbers = (one_of(digit), comma, one_of(digit));
    delimited(('(', space0), numbers, (space0, ')'))
        .map(|(first, _, second)| Kind::Pair(first, second))
        .parse_next(input)
}

fn point_name<'a>(input: &mut Input<'a>) -> Parsed<&'a str> {
    // An x before a digit is a removal.
    let column = one_of(|found: char| found.is_ascii_alphabetic() && !"xX".contains(found));
    let name = (column, one_of(|found: char| found.is_ascii_digit())).take().parse_next(input)?;
    // `d6xb4` goes on with a removal.
    let removal = |input: &mut Input<'a>| -> Parsed<()> {
        (one_of(['x', 'X']), alt((point_name.void(), digit1.void()))).void().parse_next(input)
    };
    alt((peek(removal), boundary)).parse_next(input)?;
    Ok(name)
}

fn point<'a>(input: &mut Input<'a>) -> Parsed<Kind<'a>> {
    point_name.map(Kind::Point).parse_next(input)
}

fn in_parentheses<'a>(input: &mut Input<'a>) -> Parsed<Kind<'a>> {
    delimited(('(', space0), point_name, (space0, ')')).map(Kind::InParentheses).parse_next(input)
}

/// `x`, `×`, `:`, also behind a slash. Before a pair in parentheses a dash may remove: the reader
/// decides.
fn removal<'a>(input: &mut Input<'a>) -> Parsed<Kind<'a>> {
    let target =
        (multispace0, alt((point_name.void(), digit1.void(), pair.void(), in_parentheses.void())));
    let sign = (opt('/'), one_of(['x', 'X', '×', ':']));
    terminated(sign, peek(target)).value(Kind::Removal).parse_next(input)
}

fn dash<'a>(input: &mut Input<'a>) -> Parsed<Kind<'a>> {
    let sign = alt((
        "-->".void(),
        "->".void(),
        "=>".void(),
        one_of(['→', '➔', '➜', '➞', '⟶', '⇒']).void(),
        one_of(('-', '\u{2212}', '\u{2010}'..='\u{2015}')).void(),
    ));
    sign.value(Kind::Dash).parse_next(input)
}

fn words<'a>(input: &mut Input<'a>) -> Parsed<Kind<'a>> {
    let word = take_while(1.., char::is_alphabetic).parse_next(input)?;
    boundary(input)?;
    let kind = match word.to_lowercase().as_str() {
        "place" | "places" | "placed" | "placing" | "put" | "puts" | "move" | "moves" | "moved"
        | "slide" | "slides" | "jump" | "jumps" | "fly" | "flies" | "from" | "at" | "on"
        | "onto" | "and" | "then" | "stone" | "piece" | "man" | "the" | "a" => Kind::Filler,
        "to" => Kind::To,
        "take" | "takes" | "taking" | "took" | "remove" | "removes" | "removing" | "removed"
        | "capture" | "captures" | "capturing" | "captured" => Kind::Removal,
        "white" | "black" => {
            opt(':').parse_next(input)?;
            Kind::Side(word)
        }
        _ => return Err(ContextError::new()),
    };
    Ok(kind)
}

/// Judgements of a position that stand alone behind a move.
const JUDGEMENTS: [&str; 14] =
    ["+-", "-+", "+/-", "-/+", "+/=", "=/+", "+=", "=+", "=", "±", "∓", "∞", "#", "+"];
const JUDGEMENT_SIGNS: [char; 8] = ['+', '-', '/', '=', '±', '∓', '∞', '#'];

fn glyph<'a>(input: &mut Input<'a>) -> Parsed<Kind<'a>> {
    let sign = take_while(1.., ['!', '?', '‼', '⁇', '⁉', '⁈']).void();
    let nag = ('$', digit1).void();
    let judgement =
        take_while(1..=3, JUDGEMENT_SIGNS).verify(|sign: &str| JUDGEMENTS.contains(&sign)).void();
    // Of `d6-+` nothing is a judgement.
    let judgement =
        terminated(judgement, peek(alt((eof.void(), one_of(char::is_whitespace).void()))));
    alt((sign, nag, judgement)).value(Kind::Glyph).parse_next(input)
}

/// Up to the next blank or sign with a meaning of its own.
fn other<'a>(input: &mut Input<'a>) -> Parsed<Kind<'a>> {
    let ends = |found: char| found.is_whitespace() || "{}[](),;".contains(found);
    (any, take_till(0.., ends)).value(Kind::Word).parse_next(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind<'_>> {
        tokens(text).into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn moves_in_letters() {
        use Kind::{Dash, Number, Point, Removal};
        assert_eq!(kinds("1.d6 f4"), [Number("1"), Point("d6"), Point("f4")]);
        let slide = [Point("a1"), Dash, Point("a4"), Removal, Point("d7")];
        for text in ["a1-a4xd7", "a1 → a4 ×d7", "a1–a4:d7", "a1->a4/xd7", "a1 − a4 x d7"] {
            assert_eq!(kinds(text), slide, "{text}");
        }
        assert_eq!(kinds("a1-a4(b6)")[2..], [Point("a4"), Kind::InParentheses("b6")]);
    }

    #[test]
    fn what_stands_around_moves() {
        use Kind::{Begin, Clock, Comment, End, Glyph, Number, Point, Result, Tag};
        let text = "[Event \"a [b] \\\"c\\\"\"]\n% escape\n1. d6! $3 {hm} 0:05 ( 1. f4 ) 1/2-1/2";
        let expected = [
            Tag { name: "Event", value: "a [b] \\\"c\\\"" },
            Comment(""),
            Number("1"),
            Point("d6"),
            Glyph,
            Glyph,
            Comment("hm"),
            Clock("0", "05"),
            Begin,
            Number("1"),
            Point("f4"),
            End,
            Result("1/2-1/2"),
        ];
        assert_eq!(kinds(text), expected);
        assert_eq!(kinds("{never"), [Kind::Open { open: '{', close: '}' }]);
        assert_eq!(kinds("[never"), [Kind::Open { open: '[', close: ']' }]);
        assert_eq!(
            kinds("1... d6 1. ... f4 1-0"),
            [Number("1"), Point("d6"), Number("1"), Point("f4"), Result("1-0")]
        );
    }

    #[test]
    fn numbers_and_pairs() {
        use Kind::{Dash, Digits, Number, Pair, Removal};
        assert_eq!(
            kinds("3. 3x4 6"),
            [Number("3"), Digits("3"), Removal, Digits("4"), Digits("6")]
        );
        assert_eq!(kinds("23-24"), [Digits("23"), Dash, Digits("24")]);
        assert_eq!(kinds("(2,5)->(3,5)"), [Pair('2', '5'), Dash, Pair('3', '5')]);
    }

    #[test]
    fn every_byte_is_in_a_token() {
        for text in ["[\"d6\",\"f4\"]", "fnord", "d6x", "((", "a1d1", "é", "[", "]"] {
            let tokens = tokens(text);
            assert!(!tokens.is_empty(), "{text}");
            let joined: String = tokens.iter().map(|token| token.text).collect();
            assert_eq!(joined, text);
        }
    }
}
