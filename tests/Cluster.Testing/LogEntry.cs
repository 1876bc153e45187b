using Microsoft.Extensions.Logging;

namespace Cluster.Testing;

/// <summary>One recorded log message; immutable.</summary>
/// <param name="Category">The logger's category.</param>
/// <param name="Level">The severity.</param>
/// <param name="Event">The event id and name.</param>
/// <param name="Message">The formatted text.</param>
/// <param name="Exception">The exception, if one was logged.</param>
public sealed record LogEntry(string Category, LogLevel Level, EventId Event, string Message, Exception? Exception)
{
    /// <summary>Returns level, category, event and text in one line, and the exception below it.</summary>
    public override string ToString() =>
        $"{Level} {Category}[{Event.Id}] {Message}{(Exception is null ? "" : Environment.NewLine + Exception)}";
}
