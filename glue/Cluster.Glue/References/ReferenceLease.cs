using Cluster.Glue.Observation;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.References;

/// <summary>Keeps the scope of a call whose result exports objects or streams until the last of them is given back.
/// Counted by atomic steps.</summary>
internal sealed class ReferenceLease(ServerLog log, string method)
{
    private AsyncServiceScope? _scope;

    // The call itself is the first user.
    private int _users = 1;

    public void AddUser() => Interlocked.Increment(ref _users);

    /// <summary>Takes over the scope, which is closed when the last user has released the lease; the call itself is one
    /// user.</summary>
    public void Take(AsyncServiceScope? scope) => _scope = scope;

    public void Release()
    {
        if (Interlocked.Decrement(ref _users) == 0 && _scope is { } scope)
            _ = CloseAsync(scope);
    }

    private async Task CloseAsync(AsyncServiceScope scope)
    {
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        try
        {
            await scope.DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            log.ScopeNotClosed(exception, method);
        }
    }
}
