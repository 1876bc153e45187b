using Cluster.Glue.Routes;
using Polly;

namespace Cluster.Glue.Resilience;

/// <summary>One attempt to send a logical call to one endpoint. Immutable.</summary>
internal sealed class Attempt(LogicalCall call, ICallChannel channel, RetryBudget budget, bool isFirst)
{
    public string Address => channel.Address;

    public async ValueTask<Outcome<object?>> SendAsync(CancellationToken cancellationToken)
    {
        if (isFirst)
            budget.Earn();
        try
        {
            return Outcome.FromResult<object?>(await call.SendAsync(channel, cancellationToken).ConfigureAwait(false));
        }
        catch (Exception exception)
        {
            return Outcome.FromException<object?>(exception);
        }
    }

    /// <summary>Notes that the attempt is not made.</summary>
    public void GiveUp()
    {
        if (isFirst)
            call.ForgetFirst();
        else
            budget.GiveBack();
    }
}
