using Cluster.Testing;
using Microsoft.Extensions.Logging;
using Xunit.Sdk;

namespace Cluster.ConventionTests.TestKit;

/// <summary>The guarantees of the log recorder to tests, including that it fails a test when it must.</summary>
public sealed class LogRecorderTests
{
    private static readonly Action<ILogger, Exception?> Information =
        LoggerMessage.Define(LogLevel.Information, new EventId(1), "started");

    private static readonly Action<ILogger, Exception?> Warning =
        LoggerMessage.Define(LogLevel.Warning, new EventId(2), "slow");

    private static readonly Action<ILogger, Exception?> LateHeartbeat =
        LoggerMessage.Define(LogLevel.Warning, new EventId(22), "the heartbeat has been running for long");

    [Fact]
    public void Verify_AfterAnUnexpectedWarning_Fails()
    {
        var logs = new LogRecorder();
        Warning(logs.CreateLogger<LogRecorderTests>(), null);
        var failure = Assert.Throws<XunitException>(logs.Dispose);
        Assert.Contains("slow", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Verify_AfterKestrelSaidThatTheMachineIsBusy_Passes()
    {
        using var logs = new LogRecorder();
        LateHeartbeat(logs.Factory.CreateLogger("Microsoft.AspNetCore.Server.Kestrel"), null);
    }

    [Fact]
    public async Task Verify_AfterAllowedAndHarmlessEntries_Passes()
    {
        using var logs = new LogRecorder();
        logs.Allow(2);
        Information(logs.CreateLogger<LogRecorderTests>(), null);
        Warning(logs.CreateLogger<LogRecorderTests>(), new InvalidOperationException("why"));
        Assert.Equal(["started", "slow"], logs.Entries.Select(entry => entry.Message));
        Assert.NotNull((await logs.WaitForAsync(2, TimeSpan.FromMinutes(1))).Exception);
    }

    [Fact]
    public void Provider_DisposedByItsHost_StillRecords()
    {
        using var logs = new LogRecorder();
        using (var host = LoggerFactory.Create(logging => logging.AddProvider(logs.Provider)))
            Information(host.CreateLogger("first"), null);

        Information(logs.Provider.CreateLogger("second"), null);
        Assert.Equal(["first", "second"], logs.Entries.Select(entry => entry.Category));
    }
}
