//! Draws the screen: a line about the server, the names of the sheets, the present sheet, and the
//! keys.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Cell as Drawn, Paragraph, Row, Table, Wrap};

use super::sheet::{Cell, Sheet, Tone, is_of_numbers, shown as title_shown};
use super::tables::Headline;
use super::view::View;

const KEYS: &str = "q quit  / search  s sort  r reverse  Tab next  ↑↓ move  Enter open  p pause";
/// The space between two columns.
const GAP: u16 = 2;

/// The line about the server, and why there is nothing newer.
#[derive(Debug)]
pub(super) struct News<'a> {
    pub(super) headline: &'a Headline,
    pub(super) trouble: Option<&'a str>,
}

pub(super) fn draw(frame: &mut Frame<'_>, news: &News<'_>, view: &mut View) {
    let [head, names, body, foot] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Min(0),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    frame.render_widget(headline(news.headline), head);
    frame.render_widget(sheet_names(view), names);
    // The first line shows the titles.
    view.room = usize::from(body.height.saturating_sub(1));
    let shown = view.shown();
    if let (true, Some(sheet), Some(row)) = (view.is_open, view.sheet(), view.marked()) {
        frame.render_widget(whole(sheet, row), body);
    } else if let Some(sheet) = view.sheet() {
        draw_sheet(frame, body, sheet, view.choice().map_or(0, |it| it.column), &shown);
    }
    frame.render_widget(foot_line(news, view), foot);
}

fn headline(headline: &Headline) -> Line<'_> {
    let mut spans = vec![Span::styled(&*headline.endpoint, Modifier::BOLD)];
    for (text, tone) in &headline.facts {
        spans.push("  ".into());
        spans.push(Span::styled(&**text, style(*tone)));
    }
    Line::from(spans)
}

fn sheet_names(view: &View) -> Line<'static> {
    let names = view.sheets.iter().enumerate().flat_map(|(index, sheet)| {
        let text = format!(" {} {} {} ", index + 1, sheet.name, sheet.rows.len());
        let is_present = index == view.present;
        let style = if is_present { Modifier::REVERSED.into() } else { style(Tone::Faint) };
        [Span::styled(text, style), " ".into()]
    });
    Line::from(names.collect::<Vec<_>>())
}

fn draw_sheet(
    frame: &mut Frame<'_>,
    area: Rect,
    sheet: &Sheet,
    sorted: usize,
    shown: &[(usize, bool)],
) {
    let widths = fitting(&sheet.widths(), area.width);
    let titles = sheet.titles.iter().zip(&widths).enumerate().map(|(index, (title, width))| {
        let is_sorted = index == sorted;
        let look = if is_sorted { Modifier::UNDERLINED } else { Modifier::empty() };
        let text = aligned(title_shown(title), *width, is_of_numbers(title));
        Span::styled(text, Modifier::BOLD | look)
    });
    let titles = Row::new(titles.map(Drawn::from));
    let rows = shown.iter().filter_map(|(index, is_marked)| {
        let cells = sheet.rows.get(*index)?.iter().zip(sheet.titles).zip(&widths);
        let cells = cells.map(|((cell, title), width)| drawn(cell, *width, is_of_numbers(title)));
        let look = if *is_marked { Modifier::REVERSED } else { Modifier::empty() };
        Some(Row::new(cells).style(look))
    });
    let constraints = widths.iter().map(|width| Constraint::Length(*width));
    frame.render_widget(Table::new(rows, constraints).header(titles).column_spacing(GAP), area);
}

/// Draws a row with all of its columns, one below another.
fn whole<'a>(sheet: &'a Sheet, row: &'a [Cell]) -> Paragraph<'a> {
    let width = sheet.titles.iter().map(|title| title_shown(title).len()).max().unwrap_or(0);
    let lines = sheet.titles.iter().zip(row).map(|(title, cell)| {
        let title = format!("{:width$}  ", title_shown(title));
        let value = Span::styled(&*cell.text, style(cell.tone));
        Line::from(vec![Span::styled(title, Modifier::BOLD), value])
    });
    Paragraph::new(lines.collect::<Vec<_>>()).wrap(Wrap { trim: false })
}

/// Returns the widths of as many columns as fit; the last one may be cut.
fn fitting(widths: &[usize], room: u16) -> Vec<u16> {
    let mut left = room;
    let mut fitting = Vec::new();
    for width in widths {
        let width = u16::try_from(*width).unwrap_or(u16::MAX);
        if left == 0 || (width > left && !fitting.is_empty() && left < 8) {
            break;
        }
        fitting.push(width.min(left));
        left = left.saturating_sub(width.saturating_add(GAP));
    }
    fitting
}

fn drawn(cell: &Cell, width: u16, is_number: bool) -> Drawn<'static> {
    Drawn::from(Span::styled(aligned(&cell.text, width, is_number), style(cell.tone)))
}

fn aligned(text: &str, width: u16, is_number: bool) -> String {
    let width = usize::from(width);
    if is_number { format!("{text:>width$}") } else { text.to_owned() }
}

fn foot_line(news: &News<'_>, view: &View) -> Line<'static> {
    let search = view.choice().map_or("", |choice| &choice.search);
    if view.is_searching {
        return Line::from(format!("/{search}█"));
    }
    if let Some(trouble) = news.trouble {
        return Line::from(Span::styled(trouble.to_owned(), style(Tone::Wrong)));
    }
    let found = format!("/{search}: {} of {}  ", view.count(), rows_of(view));
    let searched = if search.is_empty() { String::new() } else { found };
    let paused = if view.is_paused { "paused  " } else { "" };
    Line::from(vec![
        Span::styled(searched, style(Tone::Good)),
        Span::styled(paused, style(Tone::Wrong)),
        Span::styled(KEYS, style(Tone::Faint)),
    ])
}

fn rows_of(view: &View) -> usize {
    view.sheet().map_or(0, |sheet| sheet.rows.len())
}

/// Returns a style in the terminal's own colours, or without colour if `NO_COLOR` is set.
fn style(tone: Tone) -> Style {
    let is_plain = std::env::var_os("NO_COLOR").is_some_and(|set| !set.is_empty());
    let colour = |colour| if is_plain { Style::new() } else { Style::new().fg(colour) };
    match tone {
        Tone::Plain => Style::new(),
        Tone::Faint => Style::new().add_modifier(Modifier::DIM),
        Tone::Good => colour(Color::Green),
        Tone::Wrong => colour(Color::Red).add_modifier(Modifier::BOLD),
    }
}
