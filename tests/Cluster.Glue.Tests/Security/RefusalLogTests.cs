using Cluster.Glue.Observation;
using Cluster.Glue.Tests.Fuzzing;
using Cluster.Glue.Wire;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tests.Security;

/// <summary>What strangers can write into the log of a server.</summary>
[Trait("Case", "repair-A2")]
public sealed class RefusalLogTests : IDisposable
{
    private const int One = 1005;
    private const int Many = 1013;
    private const int OneWay = 1009;
    private const int OneWays = 1014;
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly LogRecorder _logs = new LogRecorder().Allow(One, Many, OneWay, OneWays);
    private readonly ManualTimeProvider _time = new();

    public void Dispose() => _logs.Dispose();

    [Fact]
    public void ManyRefusals_WriteOneLineEachInterval_WithTheirNumber()
    {
        using var log = new ServerLog(_logs.CreateLogger<ServerLog>(), _time);
        for (var i = 1; i <= 1_000; i++)
        {
            log.LinkRefused($"10.0.0.1:{i}", "garbage");
            log.OneWayRefused($"peer {i}", "no room");
        }

        Assert.Equal([One, OneWay], Ids());
        _time.Advance(RefusalLines.Interval);
        Assert.Equal([One, OneWay, Many, OneWays], Ids());
        Assert.Contains("999 more", _logs.Entries[2].Message, StringComparison.Ordinal);
        Assert.Contains("10.0.0.1:1000: garbage", _logs.Entries[2].Message, StringComparison.Ordinal);
        Assert.Contains("peer 1000: no room", _logs.Entries[3].Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Refusal_AfterAQuietInterval_HasALineOfItsOwnAtOnce()
    {
        using var log = new ServerLog(_logs.CreateLogger<ServerLog>(), _time);
        log.LinkRefused("10.0.0.1:1", "garbage");
        _time.Advance(RefusalLines.Interval);
        log.LinkRefused("10.0.0.2:1", "other garbage");
        Assert.Equal([One, One], Ids());
        Assert.Equal(1, _time.ArmedTimerCount);
        _time.Advance(2 * RefusalLines.Interval);
        Assert.Equal(0, _time.ArmedTimerCount);
    }

    [Fact]
    public void EndOfTheServer_TellsWhatWasCounted()
    {
        var log = new ServerLog(_logs.CreateLogger<ServerLog>(), _time);
        log.LinkRefused("10.0.0.1:1", "garbage");
        log.LinkRefused("10.0.0.1:2", "garbage");
        log.Dispose();
        Assert.Equal([One, Many], Ids());
        Assert.Equal(0, _time.ArmedTimerCount);
    }

    [Fact]
    public async Task UnaryRequests_ThatAreRefused_AreLogged_AndBounded()
    {
        const int MessageBytes = 64 * 1024;
        await using var host = await GlueHost.StartAsync(
            options =>
            {
                options.TimeProvider = _time;
                options.MaxMessageBytes = MessageBytes;
                options.MaxReceivingBytes = MessageBytes;
            },
            glue =>
            {
                glue.Services.AddLogging(logging => logging.AddProvider(_logs.Provider));
                glue.AddService<IPublicDuties, PeerDuties>(GlueInstanceMode.Singleton);
            });
        var oneByteShort = Frames.OfPayload(new byte[MessageBytes - 100])[..^1];
        HalfRequest[] halves = [.. Enumerable.Range(0, 6).Select(
            _ => new HalfRequest(host.Address, oneByteShort, GlueWire.CallPath))];
        Task<RecordedEnvelope?>[] answers = [.. halves.Select(half => half.ReceiveAsync())];
        await Eventually.TrueAsync(() => answers.Count(answer => answer.IsCompleted) >= 5, Bound);
        Assert.Equal([One], Ids());
        Assert.Contains("MaxReceivingBytes", _logs.Entries.Single(e => e.Event.Id == One).Message, StringComparison.Ordinal);
        _time.Advance(RefusalLines.Interval);
        Assert.Equal([One, Many], Ids());
        foreach (var half in halves)
            half.Dispose();
    }

    private int[] Ids() =>
    [
        .. _logs.Entries.Where(entry => entry.Level >= LogLevel.Warning).Select(entry => entry.Event.Id),
    ];
}
