using Cluster.Glue.Client;
using Cluster.Glue.Faults;
using Cluster.Glue.Filters;
using Cluster.Glue.References;
using Cluster.Glue.Routes;
using Cluster.Glue.Substreams;

namespace Cluster.Glue.Sessions;

/// <summary>Sends the calls to one object of a peer over the link. Stateless.</summary>
internal sealed class CallbackChannel(Link link, CallbackReference reference) : ICallChannel
{
    public string Address => link.Settings.PeerName;

    public GlueBinding Binding => link.Settings.Binding;

    public StartResult TryStart(OutgoingCall call)
    {
        if (!reference.IsReleased && link.IsAlive)
            return link.Calls.TryStart(call, reference.Id);
        call.FinishWithFailure(GlueErrors.ReferenceReleased(call.Method.Contract, link.Settings));
        return StartResult.Started;
    }

    public async ValueTask StartAsync(OutgoingCall call)
    {
        while (true)
        {
            call.NoteTime();
            var result = TryStart(call);
            if (result == StartResult.Started)
                return;
            var left = call.Remaining;
            try
            {
                if (left <= TimeSpan.Zero)
                    throw new TimeoutException();
                await (result switch
                {
                    StartResult.NotConnected => link.Control.Carried.WaitAsync(left, link.Settings.Time, call.Token),
                    StartResult.NotBound => link.Calls.WaitForBindAsync(call.Method, reference.Id)
                        .WaitAsync(left, link.Settings.Time, call.Token),
                    _ => link.Calls.WaitForRoomAsync(result, left, call.Token, reference.Id),
                }).ConfigureAwait(false);
            }
            catch (TimeoutException)
            {
                throw LinkCalls.NotStartedInTime(call.Method.Contract, Address, result);
            }
        }
    }
}
