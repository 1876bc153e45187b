using Cluster.Nodes;
using Shop.Drive.Supervision;

namespace Shop.Drive.Front;

/// <summary>Waits until all nodes are active and active nodes own all partitions. Throws with the reason if that cannot
/// happen. Stateless.</summary>
internal static class ReadinessGate
{
    public static readonly TimeSpan WaitMax = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);

    /// <summary>Waits for the nodes.</summary>
    /// <exception cref="ShopStartException">A node ended, or the nodes were not ready in time.</exception>
    public static async Task WaitAsync(
        ICluster cluster, NodeSupervisor supervisor, TimeProvider time, CancellationToken cancellationToken)
    {
        var started = time.GetTimestamp();
        while (!IsReady(cluster.Snapshot, supervisor.Nodes.Length))
        {
            await ThrowIfEndedAsync(supervisor, cancellationToken).ConfigureAwait(false);
            if (time.GetElapsedTime(started) > WaitMax)
            {
                throw new ShopStartException(
                    ShopExitCode.NotReady, $"The nodes were not ready within {WaitMax.TotalSeconds:0} s.");
            }

            await Task.Delay(Pause, time, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Throws if a node has ended. The exception contains the last output of that node.</summary>
    public static async Task ThrowIfEndedAsync(NodeSupervisor supervisor, CancellationToken cancellationToken)
    {
        if (supervisor.Nodes.FirstOrDefault(static node => !node.IsRunning) is not { } ended)
            return;

        await ended.WaitForEndAsync(cancellationToken).ConfigureAwait(false);
        var code = ended.ExitCode == 0 ? ShopExitCode.NotReady : ended.ExitCode;
        throw new ShopStartException(
            code, string.Join(Environment.NewLine, [$"Node {ended.Name} did not start.", .. ended.Lines]));
    }

    public static bool IsReady(ClusterSnapshot cluster, int nodeCount) =>
        cluster.Version > 0
            && cluster.Nodes.Count(static node => node.State == NodeState.Active) >= nodeCount
            && cluster.Partitions.All(static partition => partition.Owner is { State: NodeState.Active });
}
