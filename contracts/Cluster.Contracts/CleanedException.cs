namespace Cluster.Contracts;

/// <summary>Stands in a log for an exception whose own text could be taken for entries of the log: bears its type,
/// message, causes and stacks, cleaned. Never thrown. Immutable.</summary>
internal sealed class CleanedException(Exception original)
    : Exception($"{TypeOf(original)}: {LogText.Clean(MessageOf(original))}")
{
    /// <summary>Causes of one exception that are told.</summary>
    private const int CausesMax = 16;

    private readonly string _text = TextOf(original);

    public override string ToString() => _text;

    /// <summary>Whether each line of an exception's text but the first is marked as one of its own.</summary>
    public static bool IsClean(Exception exception)
    {
        try
        {
            var isFirst = true;
            foreach (var line in exception.ToString().AsSpan().EnumerateLines())
            {
                // The framework indents stacks and causes, or begins them with dashes.
                var isMarked = isFirst || line.IsEmpty || line[0] is ' ' or '-';
                var text = line.ToString();
                if (!isMarked || LogText.Clean(text, int.MaxValue) != text)
                    return false;
                isFirst = false;
            }

            return true;
        }
        catch (Exception)
        {
            // Its own code throws: what can be told of it is told here.
            return false;
        }
    }

    private static string TextOf(Exception original)
    {
        Exception[] chain = [.. Causes(original).Take(CausesMax)];
        var text = new StringBuilder();
        foreach (var one in chain)
        {
            if (text.Length > 0)
                text.AppendLine().Append(" ---> ");
            text.Append(TypeOf(one)).Append(": ").Append(LogText.Clean(MessageOf(one)));
        }

        foreach (var one in chain.Reverse())
        {
            foreach (var line in StackOf(one).AsSpan().EnumerateLines())
                text.AppendLine().Append("   ").Append(LogText.Clean(line.Trim().ToString()));
        }

        return text.ToString();
    }

    // Not by recursion: how deep causes lie may be a peer's choice.
    private static IEnumerable<Exception> Causes(Exception original)
    {
        var left = new Queue<Exception>([original]);
        while (left.TryDequeue(out var next))
        {
            yield return next;
            if (next is AggregateException many)
            {
                foreach (var one in many.InnerExceptions)
                    left.Enqueue(one);
            }
            else if (next.InnerException is { } inner)
            {
                left.Enqueue(inner);
            }
        }
    }

    private static string TypeOf(Exception exception) => LogText.Clean(exception.GetType().FullName);

    // Both are virtual, and may throw.
    private static string MessageOf(Exception exception) => Try(exception, static one => one.Message);

    private static string StackOf(Exception exception) => Try(exception, static one => one.StackTrace);

    private static string Try(Exception exception, Func<Exception, string?> part)
    {
        try
        {
            return part(exception) ?? string.Empty;
        }
        catch (Exception)
        {
            return "(cannot be read)";
        }
    }
}
