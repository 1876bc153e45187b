using Cluster.Glue.Substreams;
using Cluster.Testing;

namespace Cluster.Glue.Tests.Substreams;

/// <summary>When a silent peer counts as gone, and when the silence is one's own.</summary>
public sealed class LinkPulseTests
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);

    private readonly ManualTimeProvider _time = new();
    private readonly LinkPulse _pulse;

    public LinkPulseTests() => _pulse = new LinkPulse(_time, Interval);

    [Fact]
    [Trait("Case", "glue-79")]
    public void Silence_IsFoundWithinTwoIntervals_AndSaysHowLong()
    {
        for (var beat = 1; beat < 8; beat++)
            Assert.Null(BeatAfter(Interval / LinkPulse.BeatsPerInterval));
        Assert.Contains("10.0 s", BeatAfter(Interval / LinkPulse.BeatsPerInterval), StringComparison.Ordinal);
    }

    [Fact]
    public void Silence_BrokenByThePeer_BeginsAnew()
    {
        for (var beat = 1; beat < 8; beat++)
            Assert.Null(BeatAfter(Interval / LinkPulse.BeatsPerInterval));
        _pulse.NoteReceived();
        for (var beat = 1; beat < 8; beat++)
            Assert.Null(BeatAfter(Interval / LinkPulse.BeatsPerInterval));
        Assert.NotNull(BeatAfter(Interval / LinkPulse.BeatsPerInterval));
    }

    [Fact]
    public void Silence_WhileThisProcessStoodStill_DoesNotCount()
    {
        Assert.Null(BeatAfter(TimeSpan.FromMinutes(1)));
        for (var beat = 1; beat < 8; beat++)
            Assert.Null(BeatAfter(Interval / LinkPulse.BeatsPerInterval));
        Assert.NotNull(BeatAfter(Interval / LinkPulse.BeatsPerInterval));
    }

    [Fact]
    public void Ping_AfterAnIntervalOfSilence_IsDueOncePerInterval()
    {
        Assert.False(_pulse.ShouldPing(_time.GetTimestamp()));
        _time.Advance(Interval);
        Assert.True(_pulse.ShouldPing(_time.GetTimestamp()));
        Assert.False(_pulse.ShouldPing(_time.GetTimestamp()));
        _time.Advance(Interval);
        Assert.True(_pulse.ShouldPing(_time.GetTimestamp()));
    }

    private string? BeatAfter(TimeSpan pause)
    {
        _time.Advance(pause);
        return _pulse.ReasonToClose(_time.GetTimestamp());
    }
}
