using System.Runtime.ExceptionServices;

namespace Cluster.Slim.Codecs.Exceptions;

/// <summary>Reads and sets the stack text of exceptions. The framework appends a line to a stack text that is set. This
/// line does not travel, so the text stays the same however often an exception is passed on. Stateless.</summary>
internal static class RemoteStack
{
    private const string Probe = "?";

    private static readonly string Suffix = SuffixOf(Probe);

    public static string? TextOf(Exception exception)
    {
        var text = exception.StackTrace;
        return text is not null && text.EndsWith(Suffix, StringComparison.Ordinal) ? text[..^Suffix.Length] : text;
    }

    public static void Set(Exception exception, string? text)
    {
        if (!string.IsNullOrEmpty(text))
            ExceptionDispatchInfo.SetRemoteStackTrace(exception, text);
    }

    private static string SuffixOf(string probe)
    {
        InvalidOperationException exception = new();
        Set(exception, probe);
        return exception.StackTrace![probe.Length..];
    }
}
