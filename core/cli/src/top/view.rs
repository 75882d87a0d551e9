//! The present view, and the effect of keys on it.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::sheet::{Cell, Choice, Sheet};

#[derive(Debug, Default)]
pub(super) struct View {
    pub(super) sheets: Vec<Sheet>,
    /// The index of the present sheet.
    pub(super) present: usize,
    /// The settings of each sheet.
    glances: Vec<Glance>,
    pub(super) is_searching: bool,
    /// True while the marked row is shown whole.
    pub(super) is_open: bool,
    pub(super) is_paused: bool,
    pub(super) is_over: bool,
    /// The number of rows that fit on the screen.
    pub(super) room: usize,
}

#[derive(Debug, Default)]
struct Glance {
    choice: Choice,
    /// The selected rows, in order.
    chosen: Vec<usize>,
    /// The index of the marked row in `chosen`.
    marked: usize,
    /// The index of the first row shown.
    first: usize,
}

impl View {
    /// Shows these sheets, with the settings of the previous ones.
    pub(super) fn take(&mut self, sheets: Vec<Sheet>) {
        if self.is_paused {
            return;
        }
        self.glances.resize_with(sheets.len(), Glance::default);
        self.sheets = sheets;
        for (glance, sheet) in self.glances.iter_mut().zip(&self.sheets) {
            glance.look(sheet);
        }
    }

    pub(super) fn sheet(&self) -> Option<&Sheet> {
        self.sheets.get(self.present)
    }

    pub(super) fn choice(&self) -> Option<&Choice> {
        self.glances.get(self.present).map(|glance| &glance.choice)
    }

    /// Returns the number of selected rows.
    pub(super) fn count(&self) -> usize {
        self.glances.get(self.present).map_or(0, |glance| glance.chosen.len())
    }

    /// Returns the rows that fit on the screen; the flag is true for the marked one.
    pub(super) fn shown(&mut self) -> Vec<(usize, bool)> {
        let room = self.room;
        let Some(glance) = self.glances.get_mut(self.present) else { return Vec::new() };
        // Scrolls so that the marked row is visible, even if the screen has changed its size.
        let earliest = glance.marked.saturating_sub(room.saturating_sub(1));
        let latest = glance.chosen.len().saturating_sub(room);
        glance.first = glance.first.clamp(earliest, glance.marked).min(latest);
        let rows = glance.chosen.iter().enumerate().skip(glance.first).take(room);
        rows.map(|(index, row)| (*row, index == glance.marked)).collect()
    }

    /// Returns the marked row.
    pub(super) fn marked(&self) -> Option<&Vec<Cell>> {
        let glance = self.glances.get(self.present)?;
        self.sheet()?.rows.get(*glance.chosen.get(glance.marked)?)
    }

    pub(super) fn press(&mut self, key: KeyEvent) {
        if key.kind == KeyEventKind::Release {
            return;
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            self.is_over |= matches!(key.code, KeyCode::Char('c' | 'd'));
            return;
        }
        // Terminals send Alt and a key as Escape and the key. If the reader is slow, a separate
        // Escape and key look the same.
        if key.modifiers.contains(KeyModifiers::ALT) {
            self.take_in(KeyCode::Esc);
        }
        self.take_in(key.code);
    }

    fn take_in(&mut self, code: KeyCode) {
        if self.is_searching {
            self.type_in(code);
        } else {
            self.command(code);
        }
    }

    fn type_in(&mut self, code: KeyCode) {
        match code {
            KeyCode::Enter | KeyCode::Down | KeyCode::Up | KeyCode::Tab => {
                self.is_searching = false;
            }
            KeyCode::Esc => {
                self.is_searching = false;
                self.choose(|choice| choice.search.clear());
            }
            KeyCode::Backspace => self.choose(|choice| {
                choice.search.pop();
            }),
            KeyCode::Char(typed) => self.choose(|choice| choice.search.push(typed)),
            _ => {}
        }
    }

    fn command(&mut self, code: KeyCode) {
        let page = isize::try_from(self.room.max(1)).unwrap_or(isize::MAX);
        let sheets = self.sheets.len().max(1);
        match code {
            KeyCode::Char('q') => self.is_over = true,
            KeyCode::Char('/') => self.is_searching = true,
            KeyCode::Char('p') => self.is_paused = !self.is_paused,
            KeyCode::Enter => self.is_open = !self.is_open,
            KeyCode::Esc if self.is_open => self.is_open = false,
            KeyCode::Esc => self.choose(|choice| choice.search.clear()),
            KeyCode::Tab => self.present = (self.present + 1) % sheets,
            KeyCode::BackTab => self.present = (self.present + sheets - 1) % sheets,
            KeyCode::Char(digit @ '1'..='9') => {
                let index = digit as usize - '1' as usize;
                self.present = if index < sheets { index } else { self.present };
            }
            KeyCode::Char('s' | '>') | KeyCode::Right => self.sort_by(1),
            KeyCode::Char('<') | KeyCode::Left => self.sort_by(-1),
            KeyCode::Char('r') => self.choose(|choice| choice.is_reversed = !choice.is_reversed),
            KeyCode::Down | KeyCode::Char('j') => self.mark(1),
            KeyCode::Up | KeyCode::Char('k') => self.mark(-1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.mark(page),
            KeyCode::PageUp => self.mark(-page),
            KeyCode::Home | KeyCode::Char('g') => self.mark(isize::MIN),
            KeyCode::End | KeyCode::Char('G') => self.mark(isize::MAX),
            _ => {}
        }
    }

    /// Sorts by the column `step` further on.
    fn sort_by(&mut self, step: isize) {
        let columns = self.sheet().map_or(0, |sheet| sheet.titles.len());
        self.choose(|choice| {
            let next = choice.column.saturating_add_signed(columns.cast_signed() + step);
            choice.column = next.checked_rem(columns).unwrap_or(0);
            choice.is_reversed = false;
        });
    }

    fn mark(&mut self, step: isize) {
        if let Some(glance) = self.glances.get_mut(self.present) {
            glance.marked = glance.marked.saturating_add_signed(step);
            glance.stay_within();
        }
    }

    fn choose(&mut self, change: impl FnOnce(&mut Choice)) {
        let (Some(glance), Some(sheet)) =
            (self.glances.get_mut(self.present), self.sheets.get(self.present))
        else {
            return;
        };
        change(&mut glance.choice);
        glance.look(sheet);
    }
}

impl Glance {
    /// Selects the rows of a sheet again.
    fn look(&mut self, sheet: &Sheet) {
        self.chosen = sheet.chosen(&self.choice);
        self.stay_within();
    }

    fn stay_within(&mut self) {
        self.marked = self.marked.min(self.chosen.len().saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::top::sheet::word;

    fn view(rows: usize) -> View {
        let rows = (0..rows).map(|row| vec![word(&format!("row {row:02}"))]);
        let sheet = Sheet { name: "rows", titles: &["NAME"], rows: rows.collect() };
        let mut view = View { room: 3, ..View::default() };
        view.take(vec![sheet.clone(), Sheet { rows: Vec::new(), ..sheet }]);
        view
    }

    fn press(view: &mut View, codes: &[KeyCode]) -> Vec<(usize, bool)> {
        for code in codes {
            view.press(KeyEvent::new(*code, KeyModifiers::NONE));
        }
        view.shown()
    }

    #[test]
    fn the_marked_row_is_always_among_those_shown() {
        let mut view = view(10);
        assert_eq!(view.shown(), [(0, true), (1, false), (2, false)]);
        assert_eq!(press(&mut view, &[KeyCode::PageDown]), [(1, false), (2, false), (3, true)]);
        assert_eq!(press(&mut view, &[KeyCode::Up]), [(1, false), (2, true), (3, false)]);
        assert_eq!(press(&mut view, &[KeyCode::End]), [(7, false), (8, false), (9, true)]);
        view.room = 0;
        assert!(view.shown().is_empty());
        view.room = 99;
        assert_eq!(view.shown().len(), 10);
        assert!(press(&mut view, &[KeyCode::Tab, KeyCode::Down, KeyCode::Enter]).is_empty());
        assert!(view.marked().is_none(), "of a sheet without rows");
    }

    #[test]
    fn escape_that_came_with_the_next_key_is_heard() {
        let mut view = view(10);
        press(&mut view, &[KeyCode::Char('/'), KeyCode::Char('7')]);
        assert_eq!(view.count(), 1);
        view.press(KeyEvent::new(KeyCode::Char('q'), KeyModifiers::ALT));
        assert_eq!((view.count(), view.is_over), (10, true));
    }

    #[test]
    fn a_paused_view_does_not_change() {
        let mut view = view(2);
        press(&mut view, &[KeyCode::Char('p')]);
        view.take(Vec::new());
        assert_eq!(view.count(), 2);
        press(&mut view, &[KeyCode::Char('p')]);
        view.take(Vec::new());
        assert_eq!(view.count(), 0);
    }
}
