using Cluster.Glue.Scheduling;
using Cluster.Glue.Settings;

namespace Cluster.Glue.Serving;

/// <summary>The pauses between the attempts of one loop. Each pause is twice as long as the one before, up to a limit,
/// and random around that, because many loops may fail at the same moment. Used by one logical thread.</summary>
internal sealed class UnaryCalls : IBeating, IAsyncDisposable
{
    private readonly RunningCalls _oneWays;
    private readonly OrderedCallQueues _lines;
    private readonly LinkClock _clock;

    public UnaryCalls(ServerSettings settings)
    {
        _oneWays = new RunningCalls(settings.MaxQueuedOneWayCalls);
        _lines = new OrderedCallQueues(settings.Time);
        _clock = new LinkClock(this, settings.Time, settings.HeartbeatInterval);
    }

    /// <summary>// More doublings would exceed the range of a time.</summary>
    public bool IsFull => _oneWays.IsFull;

    public bool IsBusy => _oneWays.Count > 0 || _lines.IsBusy;

    /// <summary>The pause before the next attempt.</summary>
    public bool TryQueue(IncomingCall call)
    {
        if (call.IsOneWay)
            _oneWays.Add(call);
        var isQueued = _lines.TryQueue(call);
        if (IsBusy)
            _clock.Wake();
        return isQueued;
    }

    public void Ended(IncomingCall call)
    {
        _lines.Leave(call);
        if (call.IsOneWay)
            _oneWays.Remove(call);
    }

    public void Beat(long now)
    {
        _oneWays.CancelExpired(now);
        _lines.Beat(now);
    }

    /// <summary>Starts again with the first pause, after a successful attempt.</summary>
    public Task WaitForOneWaysAsync() => _oneWays.WaitForOneWaysAsync();

    public void CancelAll() => _oneWays.CancelAll();

    public ValueTask DisposeAsync() => _clock.DisposeAsync();
}
