using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Storage.Access;

/// <summary>Counts what the storage of one state does, and tells the log when it begins to fail and when it works
/// again, not each failure. Loads and stores are told apart. Interlocked fields.</summary>
internal sealed partial class StorageHealth(string state, StorageMetrics metrics, ILogger<StorageHealth> logger)
{
    private const int Load = 0;
    private const int Store = 1;

    private readonly int[] _isFailing = new int[2];

    public void LoadSucceeded()
    {
        metrics.CountLoad(state);
        Succeeded(Load);
    }

    public void StoreSucceeded()
    {
        metrics.CountStore(state);
        Succeeded(Store);
    }

    public void LoadFailed(string reason) => Failed(Load, reason);

    public void StoreFailed(string reason) => Failed(Store, reason);

    private void Succeeded(int action)
    {
        if (Volatile.Read(ref _isFailing[action]) == 0 || Interlocked.Exchange(ref _isFailing[action], 0) == 0)
            return;
        if (action == Load)
            LogLoadsWork(logger, LogText.Clean(state));
        else
            LogStoresWork(logger, LogText.Clean(state));
    }

    private void Failed(int action, string reason)
    {
        metrics.CountFailure(state);
        if (Interlocked.Exchange(ref _isFailing[action], 1) != 0)
            return;
        if (action == Load)
            LogLoadsFail(logger, LogText.Clean(state), LogText.Clean(reason));
        else
            LogStoresFail(logger, LogText.Clean(state), LogText.Clean(reason));
    }
}
