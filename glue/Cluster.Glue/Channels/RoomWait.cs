using Cluster.Glue.Client;
using Cluster.Glue.Faults;
using Cluster.Glue.Substreams;

namespace Cluster.Glue.Channels;

/// <summary>Starts a call on a channel that may be at its limit of calls in flight. Stateless.</summary>
internal static class RoomWait
{
    /// <summary>Starts the call as soon as the channel has room, at most until the deadline of the call.</summary>
    /// <param name="call">The call.</param>
    /// <param name="address">The address of the channel, for errors.</param>
    /// <param name="tryStart">Starts the call if there is room.</param>
    /// <param name="waitAsync">Waits for room, at most for a time; throws <see cref="TimeoutException"/>.</param>
    /// <exception cref="GlueException">The channel was disposed of, or had no room before the deadline.</exception>
    public static async ValueTask StartAsync(
        OutgoingCall call,
        string address,
        Func<OutgoingCall, StartResult> tryStart,
        Func<TimeSpan, CancellationToken, Task> waitAsync)
    {
        while (true)
        {
            var result = tryStart(call);
            if (result == StartResult.Started)
                return;
            if (result == StartResult.NotConnected)
                throw GlueErrors.Disposed(address);
            try
            {
                var left = call.Remaining;
                if (left <= TimeSpan.Zero)
                    throw new TimeoutException();
                await waitAsync(left, call.Token).ConfigureAwait(false);
            }
            catch (TimeoutException)
            {
                throw GlueErrors.LimitUntilDeadline(
                    call.Method.Contract, address, GlueErrorCode.CallsInFlightLimit, "MaxCallsInFlight");
            }
        }
    }
}
