using Microsoft.Extensions.Logging;

namespace Cluster.Testing;

/// <summary>One recorded log message; immutable.</summary>
/// <param name="Category">The logger's category.</param>
/// <param name="Level">How severe.</param>
/// <param name="Event">The event id and name.</param>
/// <param name="Message">The formatted text.</param>
/// <param name="Exception">The exception, if one was logged.</param>
public sealed record LogEntry(string Category, LogLevel Level, EventId Event, string Message, Exception? Exception)
{
    /// <summary>Level, category, event and text on one line, the exception below it.</summary>
    public override string ToString() =>
        $"{Level} {Category}[{Event.Id}] {Message}{(Exception is null ? "" : Environment.NewLine + Exception)}";
}
