using Cluster.Glue.Scheduling;
using Cluster.Glue.Settings;

namespace Cluster.Glue.Serving;

/// <summary>What a server keeps of calls that come in requests of their own: the order of the calls of each proxy, and
/// the one-way calls that go on after their requests were answered. Its parts protect themselves.</summary>
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

    /// <summary>Whether as many one-way calls wait and run as may.</summary>
    public bool IsFull => _oneWays.IsFull;

    public bool IsBusy => _oneWays.Count > 0 || _lines.IsBusy;

    /// <summary>Takes a call that has arrived.</summary>
    /// <returns>True: it waits for one-way calls of its proxy, and starts when they have ended.</returns>
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

    /// <summary>Ends when no one-way call runs. The host waits for requests by itself.</summary>
    public Task WaitForOneWaysAsync() => _oneWays.WaitForOneWaysAsync();

    public void CancelAll() => _oneWays.CancelAll();

    public ValueTask DisposeAsync() => _clock.DisposeAsync();
}
