// Each entry: its arguments out of the question, the call, its results into the answer.
//
// The numbers are the protocol: `src/entry.rs` has the same list, and a test compares the two.

using System;
using System.Collections.Generic;
using System.IO;

namespace Cilantro.Culture
{
    enum Entry : byte
    {
        GetSortHandle = 0,
        GetSortVersion = 1,
        CompareString = 2,
        IndexOf = 3,
        LastIndexOf = 4,
        StartsWith = 5,
        EndsWith = 6,
        GetSortKey = 7,
        ChangeCase = 8,
        ChangeCaseInvariant = 9,
        ChangeCaseTurkish = 10,
        InitOrdinalCasingPage = 11,
        IsNormalized = 12,
        NormalizeString = 13,
        ToAscii = 14,
        ToUnicode = 15,
        GetLocaleName = 16,
        GetLocaleInfoString = 17,
        GetLocaleInfoInt = 18,
        GetLocaleInfoGroupingSizes = 19,
        GetLocaleTimeFormat = 20,
        GetDefaultLocaleName = 21,
        IsPredefinedLocale = 22,
        GetLocales = 23,
        GetCalendars = 24,
        GetCalendarInfo = 25,
        EnumCalendarInfo = 26,
        GetLatestJapaneseEra = 27,
        GetJapaneseEraStartDate = 28,
        GetTimeZoneDisplayName = 29,
        WindowsIdToIanaId = 30,
        IanaIdToWindowsId = 31,
        GetICUVersion = 32,
        CompareStringOrdinalIgnoreCase = 33,
        IndexOfOrdinalIgnoreCase = 34,
    }

    static unsafe class Entries
    {
        const int MostUnits = 16 << 20;
        static readonly Dictionary<string, IntPtr> handles = new Dictionary<string, IntPtr>(StringComparer.Ordinal);
        static char[] room = new char[256];

        public static void Answer(Question question, Answer answer)
        {
            answer.Begin(Status.Ok);
            try
            {
                Dispatch((Entry)question.Byte(), ref question, answer);
            }
            catch (Exception e) when (Native.IsMissing(e))
            {
                answer.Restart(Status.NotThere);
            }
            catch (Exception e)
            {
                answer.Restart(Status.Refused);
                answer.Add(e.Message);
            }
            answer.End();
        }

        static void Dispatch(Entry entry, ref Question q, Answer answer)
        {
            switch (entry)
            {
                case Entry.GetSortHandle: answer.Add(OpenHandle(q.Text(), out _)); break;
                case Entry.GetSortVersion: answer.Add(Native.GetSortVersion(Handle(q.Text()))); break;
                case Entry.CompareString: Compare(ref q, answer); break;
                case Entry.IndexOf:
                case Entry.LastIndexOf:
                case Entry.StartsWith:
                case Entry.EndsWith: Search(entry, ref q, answer); break;
                case Entry.GetSortKey: SortKey(ref q, answer); break;
                case Entry.CompareStringOrdinalIgnoreCase: CompareOrdinal(ref q, answer); break;
                case Entry.IndexOfOrdinalIgnoreCase: SearchOrdinal(ref q, answer); break;
                case Entry.ChangeCase:
                case Entry.ChangeCaseInvariant:
                case Entry.ChangeCaseTurkish: ChangeCase(entry, ref q, answer); break;
                case Entry.InitOrdinalCasingPage: CasingPage(q.Number(), answer); break;
                case Entry.IsNormalized: IsNormalized(ref q, answer); break;
                case Entry.NormalizeString:
                case Entry.ToAscii:
                case Entry.ToUnicode: Convert(entry, ref q, answer); break;
                case Entry.GetLocales: Locales(answer); break;
                case Entry.GetLocaleName:
                case Entry.IsPredefinedLocale:
                case Entry.GetDefaultLocaleName:
                case Entry.GetLocaleTimeFormat:
                case Entry.GetLocaleInfoString: LocaleText(entry, ref q, answer); break;
                case Entry.GetLocaleInfoInt:
                case Entry.GetLocaleInfoGroupingSizes: LocaleNumbers(entry, ref q, answer); break;
                case Entry.GetCalendars: Calendars(ref q, answer); break;
                case Entry.GetCalendarInfo: CalendarInfo(ref q, answer); break;
                case Entry.EnumCalendarInfo: CalendarTexts(ref q, answer); break;
                case Entry.GetLatestJapaneseEra: answer.Add(Native.GetLatestJapaneseEra()); break;
                case Entry.GetJapaneseEraStartDate: EraStart(q.Number(), answer); break;
                case Entry.GetTimeZoneDisplayName:
                case Entry.WindowsIdToIanaId:
                case Entry.IanaIdToWindowsId: Zone(entry, ref q, answer); break;
                case Entry.GetICUVersion: answer.Add(Native.GetICUVersion()); break;
                default: throw new InvalidDataException("there is no entry " + (int)entry);
            }
        }

        // Sort handles stay here, one for each locale.
        static int OpenHandle(string locale, out IntPtr handle)
        {
            if (handles.TryGetValue(locale, out handle)) return 0;
            int code = Native.GetSortHandle(locale, out handle);
            if (code == 0) handles.Add(locale, handle);
            return code;
        }

        static IntPtr Handle(string locale)
        {
            int code = OpenHandle(locale, out IntPtr handle);
            return code == 0 ? handle : throw new InvalidDataException("no sort handle for '" + locale + "': code " + code);
        }

        // locale, options, a, b → order
        static void Compare(ref Question q, Answer answer)
        {
            IntPtr handle = Handle(q.Text());
            int options = q.Number();
            string a = q.Text(), b = q.Text();
            fixed (char* pa = a, pb = b) answer.Add(Native.CompareString(handle, pa, a.Length, pb, b.Length, options));
        }

        // locale, options, target, source → index or whether, units matched (-1: not told)
        static void Search(Entry entry, ref Question q, Answer answer)
        {
            IntPtr handle = Handle(q.Text());
            int options = q.Number();
            string target = q.Text(), source = q.Text();
            int matched = -1, found;
            fixed (char* t = target, s = source)
            {
                switch (entry)
                {
                    case Entry.IndexOf: found = Native.IndexOf(handle, t, target.Length, s, source.Length, options, &matched); break;
                    case Entry.LastIndexOf: found = Native.LastIndexOf(handle, t, target.Length, s, source.Length, options, &matched); break;
                    case Entry.StartsWith: found = Native.StartsWith(handle, t, target.Length, s, source.Length, options, &matched); break;
                    default: found = Native.EndsWith(handle, t, target.Length, s, source.Length, options, &matched); break;
                }
            }
            answer.Add(found);
            answer.Add(matched);
        }

        // locale, options, text → length, key
        static void SortKey(ref Question q, Answer answer)
        {
            IntPtr handle = Handle(q.Text());
            int options = q.Number();
            string text = q.Text();
            var key = new byte[4 * text.Length + 32];
            int length;
            fixed (char* t = text)
            {
                fixed (byte* k = key) length = Native.GetSortKey(handle, t, text.Length, k, key.Length, options);
                if (length > key.Length)
                {
                    key = new byte[length];
                    fixed (byte* k = key) length = Native.GetSortKey(handle, t, text.Length, k, key.Length, options);
                }
            }
            answer.Add(length);
            answer.Add(new ReadOnlySpan<byte>(key, 0, Math.Max(length, 0)));
        }

        // a, b → order
        static void CompareOrdinal(ref Question q, Answer answer)
        {
            string a = q.Text(), b = q.Text();
            fixed (char* pa = a, pb = b) answer.Add(Native.CompareStringOrdinalIgnoreCase(pa, a.Length, pb, b.Length));
        }

        // find the last?, target, source → index
        static void SearchOrdinal(ref Question q, Answer answer)
        {
            int findLast = q.Number();
            string target = q.Text(), source = q.Text();
            fixed (char* t = target, s = source)
                answer.Add(Native.IndexOfOrdinalIgnoreCase(t, target.Length, s, source.Length, findLast));
        }

        // to upper?, capacity, text → the text
        static void ChangeCase(Entry entry, ref Question q, Answer answer)
        {
            int toUpper = q.Number(), capacity = q.Number();
            string text = q.Text();
            var result = Room(capacity);
            fixed (char* t = text, r = result)
            {
                if (entry == Entry.ChangeCase) Native.ChangeCase(t, text.Length, r, capacity, toUpper);
                else if (entry == Entry.ChangeCaseInvariant) Native.ChangeCaseInvariant(t, text.Length, r, capacity, toUpper);
                else Native.ChangeCaseTurkish(t, text.Length, r, capacity, toUpper);
            }
            answer.Add(new ReadOnlySpan<char>(result, 0, Math.Min(capacity, text.Length)));
        }

        // page → the simple upper cases of its 256 characters
        static void CasingPage(int page, Answer answer)
        {
            if (page < 0 || page > 255) throw new InvalidDataException("there is no page " + page);
            var result = Room(256);
            fixed (char* r = result) Native.InitOrdinalCasingPage(page, r);
            answer.Add(new ReadOnlySpan<char>(result, 0, 256));
        }

        // form, text → whether (1, 0), or an error
        static void IsNormalized(ref Question q, Answer answer)
        {
            int form = q.Number();
            string text = q.Text();
            fixed (char* t = text) answer.Add(Native.IsNormalized(form, t, text.Length));
        }

        // form or flags, capacity, text → length, text
        static void Convert(Entry entry, ref Question q, Answer answer)
        {
            int how = q.Number(), capacity = q.Number(), length;
            string text = q.Text();
            var result = Room(capacity);
            fixed (char* t = text, r = result)
            {
                if (entry == Entry.NormalizeString) length = Native.NormalizeString(how, t, text.Length, r, capacity);
                else if (entry == Entry.ToAscii) length = Native.ToAscii(how, t, text.Length, r, capacity);
                else length = Native.ToUnicode(how, t, text.Length, r, capacity);
            }
            AddCounted(length, result, capacity, answer);
        }

        // → length, names, each with its length before it
        static void Locales(Answer answer)
        {
            int length = Math.Max(Native.GetLocales(null, 0), 0);
            var result = Room(length);
            fixed (char* r = result) length = Native.GetLocales(r, length);
            AddCounted(length, result, length, answer);
        }

        // What differs comes first (see below), then: capacity, locale → success, text
        static void LocaleText(Entry entry, ref Question q, Answer answer)
        {
            int data = q.Number(), capacity = q.Number(), success;
            string locale = q.Text(), uiLocale = q.Text();
            var result = Room(capacity);
            fixed (char* l = locale, u = uiLocale, r = result)
            {
                switch (entry)
                {
                    case Entry.GetLocaleName: success = Native.GetLocaleName(l, r, capacity); break;
                    case Entry.IsPredefinedLocale: success = Native.IsPredefinedLocale(l); break;
                    case Entry.GetDefaultLocaleName: success = Native.GetDefaultLocaleName(r, capacity); break;
                    case Entry.GetLocaleTimeFormat: success = Native.GetLocaleTimeFormat(l, data, r, capacity); break;
                    default: success = Native.GetLocaleInfoString(l, data, r, capacity, u); break;
                }
            }
            AddTerminated(success, result, capacity, answer);
        }

        // data, locale → success, value, second value (of groups)
        static void LocaleNumbers(Entry entry, ref Question q, Answer answer)
        {
            int data = q.Number(), first = 0, second = 0, success;
            string locale = q.Text();
            fixed (char* l = locale)
            {
                if (entry == Entry.GetLocaleInfoInt) success = Native.GetLocaleInfoInt(l, data, &first);
                else success = Native.GetLocaleInfoGroupingSizes(l, data, &first, &second);
            }
            answer.Add(success);
            answer.Add(first);
            answer.Add(second);
        }

        // capacity, locale → count, calendars as a text
        static void Calendars(ref Question q, Answer answer)
        {
            int capacity = q.Number(), count;
            string locale = q.Text();
            var result = Room(capacity);
            fixed (char* l = locale, r = result) count = Native.GetCalendars(l, (ushort*)r, capacity);
            AddCounted(count, result, capacity, answer);
        }

        // calendar, data, capacity, locale → code, text
        static void CalendarInfo(ref Question q, Answer answer)
        {
            int calendar = q.Number(), data = q.Number(), capacity = q.Number(), code;
            string locale = q.Text();
            var result = Room(capacity);
            fixed (char* l = locale, r = result) code = Native.GetCalendarInfo(l, (ushort)calendar, data, r, capacity);
            AddTerminated(code, result, capacity, answer);
        }

        // calendar, data, locale → success, count, texts
        static void CalendarTexts(ref Question q, Answer answer)
        {
            int calendar = q.Number(), data = q.Number(), success;
            string locale = q.Text();
            var texts = new List<string>();
            CalendarString callback = (text, context) => texts.Add(new string(text));
            fixed (char* l = locale) success = Native.EnumCalendarInfo(callback, l, (ushort)calendar, data, IntPtr.Zero);
            GC.KeepAlive(callback);
            answer.Add(success);
            answer.Add(texts.Count);
            foreach (string text in texts) answer.Add(text);
        }

        // era → success, year, month, day
        static void EraStart(int era, Answer answer)
        {
            int year = 0, month = 0, day = 0;
            answer.Add(Native.GetJapaneseEraStartDate(era, &year, &month, &day));
            answer.Add(year);
            answer.Add(month);
            answer.Add(day);
        }

        // kind of name, capacity, zone, locale or region → code or length, text
        static void Zone(Entry entry, ref Question q, Answer answer)
        {
            int type = q.Number(), capacity = q.Number();
            string zone = q.Text(), locale = q.Text();
            var result = Room(capacity);
            fixed (char* z = zone, l = locale, r = result)
            {
                if (entry == Entry.GetTimeZoneDisplayName)
                    AddTerminated(Native.GetTimeZoneDisplayName(l, z, type, r, capacity), result, capacity, answer);
                else if (entry == Entry.WindowsIdToIanaId)
                    AddCounted(Native.WindowsIdToIanaId(z, locale, r, capacity), result, capacity, answer);
                else
                    AddCounted(Native.IanaIdToWindowsId(z, r, capacity), result, capacity, answer);
            }
        }

        // A buffer of zeros for what a function writes.
        static char[] Room(int capacity)
        {
            if (capacity < 0 || capacity > MostUnits) throw new InvalidDataException("a buffer of " + capacity + " characters");
            if (room.Length < capacity) room = new char[capacity];
            Array.Clear(room, 0, Math.Min(room.Length, Math.Max(capacity, 1)));
            return room;
        }

        // The function tells how much it wrote, or would have written.
        static void AddCounted(int length, char[] result, int capacity, Answer answer)
        {
            answer.Add(length);
            answer.Add(new ReadOnlySpan<char>(result, 0, length > 0 && length <= capacity ? length : 0));
        }

        // The function wrote a zero behind the text.
        static void AddTerminated(int code, char[] result, int capacity, Answer answer)
        {
            answer.Add(code);
            var all = new ReadOnlySpan<char>(result, 0, capacity);
            int end = all.IndexOf('\0');
            answer.Add(end < 0 ? all : all.Slice(0, end));
        }
    }
}
