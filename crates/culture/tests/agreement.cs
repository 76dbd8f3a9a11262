// What the public API answers, one line each: a word, then arguments and the answer, separated by tabs. Texts are
// written as their UTF-16 units in hexadecimal. The test asks the client the same and compares.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Text;

static class Agreement
{
    static readonly string[] s_cultures =
    {
        "", "en-US", "de-DE", "tr-TR", "ar-SA", "sv-SE", "ja-JP", "cs-CZ", "hu-HU", "da-DK", "fr-FR", "th-TH", "fa-IR", "he-IL", "hi-IN", "zh-CN", "ko-KR", "lt-LT", "el-GR",
    };

    static readonly string[] s_texts =
    {
        "", "a", "A", "b", "B", "aa", "Aa", "ch", "c", "h", "CH", "dz", "dzs", "co-op", "coop", "co op", "\0", "a\0b", "ab", "a\u00adb", "ß", "ss", "SS", "straße", "STRASSE", "æ", "ae", "é", "e\u0301", "E\u0301",
        "i", "I", "ı", "İ", "i\u0307", "σ", "ς", "Σ", "ΌΔΟΣ", "オ", "お", "ｵ", "ぉ", "カ\u3099", "ガ", "ﬁ", "fi", "①", "1", "ア", "\ud83d\ude00", "\ud800", "\udc00x", "\u200d", "\u0640", "كتاب", "كِتَاب", "שלום", "\u1e9e", "Å", "\u212b", "A\u030a", "$", "€", "%", "_", "-", "'", " ", "\t",
        "Ĳ", "ǅ", "ǆ", "ŉ", "한글", "\u1112\u1161\u11ab", "中文", "\ufeffx", "x", "resume", "résumé", "Résumé", "10", "9", "a10", "a9", "zażółć", "ZAŻÓŁĆ",
    };

    static readonly string[] s_hosts =
    {
        "bücher.example", "xn--bcher-kva.example", "faß.de", "例え.テスト", "ascii.com", "a..b", "-x-.com", "مثال.إختبار", "βόλος.com", "x\u200dy.com", "\u2488com", "under_score.com", "xn--", "xn--a", "", "ａｂｃ.com",
    };

    static void Main(string[] args)
    {
        Console.OutputEncoding = Encoding.ASCII;
        // The class library keeps the first language in which it needs such a name.
        if (args.Length > 0)
        {
            Zones(args[0]);
            return;
        }
        foreach (string name in s_cultures)
        {
            Collation(name);
            Casing(name);
            Formats(name);
        }
        Normal();
        Hosts();
        Names();
        Console.Out.Flush();
    }

    static string Hex(ReadOnlySpan<char> text)
    {
        var hex = new StringBuilder();
        foreach (char c in text) hex.Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
        return hex.ToString();
    }

    static void Line(params object[] parts) => Console.WriteLine(string.Join('\t', parts.Select(p => p is string s ? s : Convert.ToString(p, CultureInfo.InvariantCulture))));

    static void Collation(string name)
    {
        var compare = new CultureInfo(name).CompareInfo;
        int seed = 7;
        foreach (int bits in new[] { 0, 1, 2, 3, 4, 5, 7, 8, 16, 24, 25, 31, 32, 0x20000000 })
        {
            var options = (CompareOptions)bits;
            foreach (string a in s_texts)
            {
                // Nobody searches under NumericOrdering or StringSort; the latter has no keys.
                bool searches = bits < 32;
                if (bits <= 32) Line("key", name, bits, Hex(a), BitConverter.ToString(compare.GetSortKey(a, options).KeyData).Replace("-", ""));
                seed = (int)((seed * 1103515245L + 12345) & 0x7fffffff);
                string b = s_texts[(seed >> 8) % s_texts.Length];
                Line("compare", name, bits, Hex(a), Hex(b), Math.Sign(compare.Compare(a, b, options)));
                string source = b + a + b;
                if (a == "" || !searches) continue;
                int index = compare.IndexOf(source, a, options, out int length);
                Line("index", name, bits, Hex(a), Hex(source), index, index < 0 ? 0 : length);
                index = compare.LastIndexOf(source, a, options, out length);
                Line("last", name, bits, Hex(a), Hex(source), index, index < 0 ? 0 : length);
                bool found = compare.IsPrefix(a + b, a, options, out length);
                Line("prefix", name, bits, Hex(a), Hex(a + b), found ? 1 : 0, found ? length : 0);
                found = compare.IsSuffix(b + a, a, options, out length);
                Line("suffix", name, bits, Hex(a), Hex(b + a), found ? 1 : 0, found ? length : 0);
            }
        }
    }

    static void Casing(string name)
    {
        var text = new CultureInfo(name).TextInfo;
        foreach (string a in s_texts)
        {
            Line("upper", name, Hex(a), Hex(text.ToUpper(a)));
            Line("lower", name, Hex(a), Hex(text.ToLower(a)));
        }
    }

    static void Formats(string name)
    {
        var culture = new CultureInfo(name, useUserOverride: false);
        var numbers = culture.NumberFormat;
        var dates = culture.DateTimeFormat;
        // The invariant culture does not ask.
        if (name == "") return;
        Line("info", name, 0x0E, Hex(numbers.NumberDecimalSeparator));
        Line("info", name, 0x0F, Hex(numbers.NumberGroupSeparator));
        Line("info", name, 0x14, Hex(numbers.CurrencySymbol));
        Line("info", name, 0x50, Hex(numbers.PositiveSign));
        Line("info", name, 0x51, Hex(numbers.NegativeSign));
        Line("info", name, 0x69, Hex(numbers.NaNSymbol));
        Line("info", name, 0x6A, Hex(numbers.PositiveInfinitySymbol));
        Line("info", name, 0x76, Hex(numbers.PercentSymbol));
        Line("info", name, 0x77, Hex(numbers.PerMilleSymbol));
        Line("info", name, 0x72, Hex(culture.EnglishName));
        Line("info", name, 0x73, Hex(culture.NativeName));
        Line("info", name, 0x67, Hex(culture.ThreeLetterISOLanguageName));
        Line("info", name, 0x28, Hex(dates.AMDesignator));
        Line("info", name, 0x29, Hex(dates.PMDesignator));
        var region = new RegionInfo(name);
        Line("info", name, 0x15, Hex(region.ISOCurrencySymbol));
        Line("info", name, 0x1002, Hex(region.EnglishName));
        Line("number", name, 0x11, numbers.NumberDecimalDigits);
        Line("number", name, 0x19, numbers.CurrencyDecimalDigits);
        Line("number", name, 0x1010, numbers.NumberNegativePattern);
        Line("number", name, 0x75, numbers.PercentPositivePattern);
        Line("number", name, 0x0D, region.IsMetric ? 0 : 1);
        Line("groups", name, string.Join(",", numbers.NumberGroupSizes));
        // The native name of a calendar is not asked for; names of days and months are, of the culture's own calendar.
        int calendar = Number(culture.Calendar);
        Line("texts", name, calendar, 6, Join(dates.DayNames));
        Line("texts", name, calendar, 7, Join(dates.AbbreviatedDayNames));
        Line("texts", name, calendar, 8, Join(dates.MonthNames));
        Line("texts", name, calendar, 9, Join(dates.AbbreviatedMonthNames));
        Line("texts", name, calendar, 10, Join(dates.ShortestDayNames));
        Line("calendars", name, string.Join(",", culture.OptionalCalendars.Select(Number)));
        Line("name", Hex(name.ToUpperInvariant()), Hex(culture.Name));
    }

    // Its number is not public.
    static int Number(Calendar calendar) =>
        Convert.ToInt32(typeof(Calendar).GetProperty("ID", BindingFlags.NonPublic | BindingFlags.Instance).GetValue(calendar));

    // A year of twelve months has an empty name for the thirteenth, which nobody asks for.
    static string Join(string[] texts) => string.Join(",", texts.Where(t => t != "").Select(t => Hex(t)));

    static void Zones(string name)
    {
        CultureInfo.CurrentUICulture = new CultureInfo(name);
        foreach (string id in new[] { "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Asia/Tokyo", "Australia/Lord_Howe", "Africa/Cairo" })
        {
            var zone = TimeZoneInfo.FindSystemTimeZoneById(id);
            Line("zone", name, id, 1, Hex(zone.StandardName));
            Line("zone", name, id, 2, Hex(zone.DaylightName));
        }
    }

    static void Normal()
    {
        foreach (var form in new[] { NormalizationForm.FormC, NormalizationForm.FormD, NormalizationForm.FormKC, NormalizationForm.FormKD })
            foreach (string text in s_texts)
            {
                try
                {
                    string normal = text.Normalize(form);
                    Line("normal", (int)form, Hex(text), Hex(normal));
                    Line("isnormal", (int)form, Hex(text), text.IsNormalized(form) ? 1 : 0);
                }
                catch (ArgumentException)
                {
                    // The class library does not ask about half a surrogate pair.
                }
            }
    }

    static void Hosts()
    {
        foreach (bool unassigned in new[] { false, true })
            foreach (bool std3 in new[] { false, true })
            {
                var idn = new IdnMapping { AllowUnassigned = unassigned, UseStd3AsciiRules = std3 };
                int flags = (unassigned ? 1 : 0) | (std3 ? 2 : 0);
                foreach (string host in s_hosts.Where(h => h != ""))
                {
                    Line("ascii", flags, Hex(host), Try(() => idn.GetAscii(host)));
                    Line("unicode", flags, Hex(host), Try(() => idn.GetUnicode(host)));
                }
            }
    }

    static string Try(Func<string> work)
    {
        try
        {
            return Hex(work());
        }
        catch (ArgumentException)
        {
            return "error";
        }
    }

    static void Names()
    {
        foreach (string id in new[] { "W. Europe Standard Time", "Tokyo Standard Time", "India Standard Time", "No Such Time", "Eastern Standard Time" })
            Line("iana", Hex(id), TimeZoneInfo.TryConvertWindowsIdToIanaId(id, out string iana) ? Hex(iana) : "");
        Line("iana", Hex("Eastern Standard Time"), Hex("CA"), TimeZoneInfo.TryConvertWindowsIdToIanaId("Eastern Standard Time", "CA", out string toronto) ? Hex(toronto) : "");
        foreach (string id in new[] { "Europe/Berlin", "Asia/Tokyo", "Asia/Kolkata", "Nowhere/City" })
            Line("windows", Hex(id), TimeZoneInfo.TryConvertIanaIdToWindowsId(id, out string windows) ? Hex(windows) : "");
        var names = CultureInfo.GetCultures(CultureTypes.AllCultures).Select(c => c.Name).Where(n => n != "").OrderBy(n => n, StringComparer.Ordinal);
        Line("cultures", string.Join(",", names));
    }
}
