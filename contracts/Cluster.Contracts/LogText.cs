namespace Cluster.Contracts;

/// <summary>Makes text that another process has chosen fit for a line of a log: it stays on its line, moves no cursor,
/// hides nothing, and is not longer than its bound. Pure.</summary>
public static class LogText
{
    /// <summary>Characters of a text that are kept unless the caller names another bound.</summary>
    public const int LengthMax = 2048;

    /// <summary>The text with line breaks, other control characters, invisible format characters (such as those that
    /// turn the direction of writing) and halves of surrogate pairs written as escapes: <c>\n</c>, <c>\r</c>,
    /// <c>\t</c>, <c>\u001B</c>. What is longer than the bound is cut, and the text says so. Text without any of that
    /// is returned as it is.</summary>
    /// <param name="text">A name, an address, or a message of another process; null is the empty text.</param>
    /// <param name="lengthMax">Characters of <paramref name="text"/> that are kept.</param>
    public static string Clean(string? text, int lengthMax = LengthMax)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(lengthMax);
        if (string.IsNullOrEmpty(text))
            return string.Empty;
        var end = Math.Min(text.Length, lengthMax);
        var clean = 0;
        while (clean < end && IsPlain(text[clean]))
            clean++;
        return clean == text.Length ? text : Escape(text, clean, end);
    }

    /// <summary>The exception as it is, where its text cannot be taken for entries of a log; else one whose type,
    /// message and causes are cleaned, and whose stack stays. For the loggers' exception argument, where an exception
    /// of a service or its message may repeat what a peer has sent.</summary>
    /// <param name="exception">An exception whose text this library does not know.</param>
    public static Exception Clean(Exception exception)
    {
        ArgumentNullException.ThrowIfNull(exception);
        return CleanedException.IsClean(exception) ? exception : new CleanedException(exception);
    }

    private static string Escape(string text, int clean, int end)
    {
        var output = new StringBuilder(text, 0, clean, end + 32);
        for (var i = clean; i < end; i++)
        {
            var one = text[i];
            if (IsPlain(one))
                output.Append(one);
            else if (char.IsHighSurrogate(one) && i + 1 < end && char.IsLowSurrogate(text[i + 1]))
                output.Append(one).Append(text[++i]);
            else
                AppendEscape(output, one);
        }

        if (end < text.Length)
            output.Append(CultureInfo.InvariantCulture, $"… ({text.Length} characters)");
        return output.ToString();
    }

    private static void AppendEscape(StringBuilder output, char one)
    {
        switch (one)
        {
            case '\n':
                output.Append(@"\n");
                break;
            case '\r':
                output.Append(@"\r");
                break;
            case '\t':
                output.Append(@"\t");
                break;
            default:
                output.Append(CultureInfo.InvariantCulture, $@"\u{(int)one:X4}");
                break;
        }
    }

    private static bool IsPlain(char one) =>
        char.IsAscii(one)
            ? !char.IsControl(one)
            : char.GetUnicodeCategory(one) is not (UnicodeCategory.Control or UnicodeCategory.Format
                or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator or UnicodeCategory.Surrogate);
}
