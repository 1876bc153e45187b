using Microsoft.Extensions.Logging;

namespace Cluster.Testing;

/// <summary>Creates the loggers of one <see cref="LogRecorder"/>, which owns the entries. Disposal by a host does
/// nothing.</summary>
internal sealed class LogRecorderProvider(LogRecorder recorder) : ILoggerProvider
{
    public ILogger CreateLogger(string categoryName) => new RecordingLogger(recorder, categoryName);

    public void Dispose()
    {
        // The recorder outlives every host that uses this provider.
    }
}
