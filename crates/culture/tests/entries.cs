// The class library's own declarations of its native part, called by reflection: what they return and write, one line
// each, for many arguments and for buffers that are too small.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;

static unsafe class Entries
{
    static readonly Type s_native = typeof(object).Assembly.GetType("Interop+Globalization");

    delegate void Callback(char* text, IntPtr context);

    static void Main()
    {
        Console.OutputEncoding = Encoding.ASCII;
        // ICU is loaded with the first culture.
        _ = System.Globalization.CultureInfo.GetCultureInfo("de-DE").CompareInfo.Compare("a", "ä");
        string[] locales = { "", "en-US", "de-DE", "tr-TR", "ar-SA", "fa-IR", "ja-JP", "zh-Hant-TW", "hi-IN", "sr-Latn-RS", "xx-YY", "en_US", "de-DE-u-co-phonebk", "EN-us", "no such locale", "\ud800", "a" };
        foreach (string locale in locales)
        {
            foreach (int capacity in new[] { 0, 1, 3, 6, 157 })
                Written("name", new object[] { locale, capacity }, "GetLocaleName", capacity, false, p => new object[] { locale, p, capacity });
            foreach (int data in new[] { 2, 3, 4, 6, 8, 0xC, 0xE, 0xF, 0x13, 0x14, 0x15, 0x16, 0x17, 0x28, 0x29, 0x50, 0x51, 0x59, 0x5A, 0x67, 0x68, 0x69, 0x6A, 0x6B, 0x6D, 0x6E, 0x6F, 0x72, 0x73, 0x76, 0x77, 0x1001, 0x1002, 0x1007, 0x1008, 0x7777 })
                foreach (int capacity in new[] { 1, 2, 100 })
                    // Names in the user's language are asked for with that language; without it the function crashes.
                    foreach (string ui in data is 2 or 6 or 0x6F ? new[] { "en-US", "fr-FR" } : new[] { null, "fr-FR" })
                        Written("string", new object[] { locale, data, capacity, ui ?? "null" }, "GetLocaleInfoString", capacity, false, p => new object[] { locale, (uint)data, p, capacity, ui });
            foreach (int data in new[] { 1, 0xB, 0xD, 0x11, 0x19, 0x1B, 0x1C, 0x5B, 0x70, 0x74, 0x75, 0x1004, 0x1009, 0x100C, 0x100D, 0x1010, 0x1011, 0x1012, 0x1014, 0x7777 })
            {
                var arguments = new object[] { locale, (uint)data, 0 };
                Line("int", locale, data, Number(Call("GetLocaleInfoInt", arguments)), arguments[2]);
            }
            foreach (int data in new[] { 0x10, 0x18, 0x7777 })
            {
                var arguments = new object[] { locale, (uint)data, 0, 0 };
                Line("groups", locale, data, Number(Call("GetLocaleInfoGroupingSizes", arguments)), arguments[2], arguments[3]);
            }
            foreach (bool isShort in new[] { false, true })
                foreach (int capacity in new[] { 2, 100 })
                    Written("time", new object[] { locale, isShort ? 1 : 0, capacity }, "GetLocaleTimeFormat", capacity, false, p => new object[] { locale, isShort, p, capacity });
            Line("predefined", locale, Number(Call("IsPredefinedLocale", locale)));
            foreach (int capacity in new[] { 1, 23 })
            {
                var calendars = Array.CreateInstance(Type("System.Globalization.CalendarId"), capacity);
                int count = Number(Call("GetCalendars", locale, calendars, capacity));
                Line("calendars", locale, capacity, count, Hex(string.Concat(calendars.Cast<object>().Take(Math.Max(0, count <= capacity ? count : 0)).Select(c => (char)Convert.ToUInt16(c)))));
            }
            foreach (int calendar in new[] { 1, 3, 8, 23, 99 })
                for (int data = 0; data <= 15; data++)
                {
                    foreach (int capacity in new[] { 3, 250 })
                        Written("calendar", new object[] { locale, calendar, data, capacity }, "GetCalendarInfo", capacity, false, p => new object[] { locale, Enum.ToObject(Type("System.Globalization.CalendarId"), calendar), Enum.ToObject(Type("System.Globalization.CalendarDataType"), data), p, capacity });
                    Texts(locale, calendar, data);
                }
            foreach (string zone in new[] { "Europe/Berlin", "Asia/Kolkata", "Etc/UTC", "Nowhere/City", "" })
                for (int kind = 0; kind <= 5; kind++)
                    foreach (int capacity in new[] { 4, 100 })
                        Written("zone", new object[] { locale, zone, kind, capacity }, "GetTimeZoneDisplayName", capacity, false, p => new object[] { locale, zone, Enum.ToObject(s_native.GetNestedType("TimeZoneDisplayNameType", BindingFlags.NonPublic), kind), p, capacity });
            var handle = new object[] { locale, IntPtr.Zero };
            int code = Number(Call("GetSortHandle", handle));
            Line("handle", locale, code);
            if (code == 0) Line("version", locale, Number(Call("GetSortVersion", handle[1])));
        }
        foreach (int capacity in new[] { 2, 100 }) Written("default", new object[] { capacity }, "GetDefaultLocaleName", capacity, false, p => new object[] { p, capacity });
        foreach (string text in new[] { "", "abc", "e\u0301", "ế", "ﬁ①", "ﷺ", "\ud800", "한글", "bücher.example", "xn--bcher-kva", "a\0b", "İıßςΣ", "\ud801\udc28x", "ǆǅ", "-a-", "a..b" })
        {
            foreach (int capacity in new[] { 0, 2, 50 })
            {
                foreach (int form in new[] { 1, 2, 5, 6, 3 })
                    Counted("normalize", new object[] { form, capacity, Hex(text) }, "NormalizeString", text, capacity, (t, p) => new object[] { (NormalizationForm)form, t, text.Length, p, capacity });
                for (uint flags = 0; flags < 4; flags++)
                {
                    Counted("ascii", new object[] { flags, capacity, Hex(text) }, "ToAscii", text, capacity, (t, p) => new object[] { flags, t, text.Length, p, capacity });
                    Counted("unicode", new object[] { flags, capacity, Hex(text) }, "ToUnicode", text, capacity, (t, p) => new object[] { flags, t, text.Length, p, capacity });
                }
            }
            foreach (int form in new[] { 1, 2, 5, 6, 3 })
                fixed (char* t = text) Line("isnormal", form, Hex(text), Number(Call("IsNormalized", (NormalizationForm)form, Box(t), text.Length)));
            foreach (string entry in new[] { "ChangeCase", "ChangeCaseInvariant", "ChangeCaseTurkish" })
                foreach (bool upper in new[] { false, true })
                {
                    var result = new char[Math.Max(1, text.Length)];
                    fixed (char* t = text, r = result) Call(entry, Box(t), text.Length, Box(r), text.Length, upper);
                    Line("case", entry, upper ? 1 : 0, Hex(text), Hex(new string(result, 0, text.Length)));
                }
        }
        foreach (int page in new[] { 0, 1, 3, 4, 0x1e, 0x2c, 0xa7, 0xff })
        {
            var result = new char[256];
            fixed (char* r = result) Call("InitOrdinalCasingPage", page, Box(r));
            Line("page", page, Hex(new string(result)));
        }
        foreach (string id in new[] { "W. Europe Standard Time", "Eastern Standard Time", "No Such", "" })
            foreach (string region in new[] { null, "CA", "DE", "XX" })
                foreach (int capacity in new[] { 3, 100 })
                {
                    IntPtr r = region == null ? IntPtr.Zero : Marshal.StringToCoTaskMemUTF8(region);
                    Counted("iana", new object[] { Hex(id), region ?? "null", capacity }, "WindowsIdToIanaId", id, capacity, (t, p) => new object[] { id, r, p, capacity });
                }
        foreach (string id in new[] { "Europe/Berlin", "Asia/Calcutta", "No/Where", "" })
            foreach (int capacity in new[] { 3, 100 })
                Counted("windows", new object[] { Hex(id), capacity }, "IanaIdToWindowsId", id, capacity, (t, p) => new object[] { id, p, capacity });
        Line("era", Number(Call("GetLatestJapaneseEra")));
        for (int era = 225; era <= 240; era++)
        {
            var arguments = new object[] { era, 0, 0, 0 };
            Line("start", era, Number(Call("GetJapaneseEraStartDate", arguments)), arguments[1], arguments[2], arguments[3]);
        }
        Line("icu", Number(Call("GetICUVersion")));
        int length = Number(Call("GetLocales", null, 0));
        var names = new char[length];
        Line("locales", Number(Call("GetLocales", names, length)), Hex(new string(names)));
    }

    static void Texts(string locale, int calendar, int data)
    {
        var texts = new List<string>();
        Callback callback = (text, context) => texts.Add(new string(text));
        var method = s_native.GetMethods(BindingFlags.NonPublic | BindingFlags.Static).Single(m => m.Name == "EnumCalendarInfo" && m.GetParameters()[0].ParameterType == typeof(IntPtr));
        object success = method.Invoke(null, new object[] { Marshal.GetFunctionPointerForDelegate(callback), locale, Enum.ToObject(Type("System.Globalization.CalendarId"), calendar), Enum.ToObject(Type("System.Globalization.CalendarDataType"), data), IntPtr.Zero });
        GC.KeepAlive(callback);
        Line("texts", locale, calendar, data, Number(success), string.Join(",", texts.Select(Hex)));
    }

    // A text with a zero behind it.
    static void Written(string word, object[] shown, string entry, int capacity, bool counted, Func<object, object[]> arguments)
    {
        var result = new char[capacity + 1];
        fixed (char* r = result)
        {
            int returned = Number(Call(entry, arguments(Box(r))));
            string text = new string(result, 0, capacity);
            int end = text.IndexOf('\0');
            Line(shown.Prepend(word).Append(returned).Append(Hex(end < 0 ? text : text.Substring(0, end))).ToArray());
        }
    }

    static void Counted(string word, object[] shown, string entry, string text, int capacity, Func<object, object, object[]> arguments)
    {
        var result = new char[capacity + 1];
        fixed (char* t = text, r = result)
        {
            int returned = Number(Call(entry, arguments(Box(t), Box(r))));
            Line(shown.Prepend(word).Append(returned).Append(Hex(new string(result, 0, returned > 0 && returned <= capacity ? returned : 0))).ToArray());
        }
    }

    static object Box(char* pointer) => Pointer.Box(pointer, typeof(char*));

    static Type Type(string name) => typeof(object).Assembly.GetType(name);

    static object Call(string entry, params object[] arguments) => s_native.GetMethod(entry, BindingFlags.NonPublic | BindingFlags.Static).Invoke(null, arguments);

    static int Number(object value) => value is bool b ? (b ? 1 : 0) : Convert.ToInt32(value);

    static string Hex(string text) => string.Concat(text.Select(c => ((int)c).ToString("x4")));

    // Names are ASCII, but for one that no name is.
    static void Line(params object[] parts) => Console.WriteLine(string.Join("\t", parts.Select(p => p is string s && s.Any(c => c > 127) ? "?" : p.ToString())));
}
