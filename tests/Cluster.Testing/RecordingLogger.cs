using Microsoft.Extensions.Logging;

namespace Cluster.Testing;

/// <summary>The logger of one category. It passes every message to its recorder. Stateless.</summary>
internal sealed class RecordingLogger(LogRecorder recorder, string category) : ILogger
{
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel != LogLevel.None;

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter)
    {
        ArgumentNullException.ThrowIfNull(formatter);
        recorder.Add(new LogEntry(category, logLevel, eventId, formatter(state, exception), exception));
    }
}
