using Cluster.Nodes.Configuration;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Liveness;

/// <summary>Looks for proof that a member's process is gone: first in the cluster store, then at its liveness endpoint
/// where a refusal counts. Silence is never proof. Stateless; used by the coordinator and by a node that starts
/// again.</summary>
internal sealed class FailureDetector(IClusterStore store, LivenessProbe probe, ClusterSettings settings)
{
    private readonly string _kernel = KernelTag.Read();

    /// <summary>Judges one member.</summary>
    /// <param name="member">The member in question.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async ValueTask<LivenessResult> ExamineAsync(ClusterMember member, CancellationToken cancellationToken)
    {
        if (await IsProvenByStoreAsync(member, cancellationToken).ConfigureAwait(false))
            return new LivenessResult(member.Node, LivenessState.Dead, $"proven by the {store.Description}");

        if (LivenessAddress.Parse(member.LivenessAddress) is not { } address)
            return new LivenessResult(member.Node, LivenessState.Unknown, "its liveness endpoint is not known");
        var answer = await probe
            .AskAsync(address, member.Node, LivenessAddress.IsEncrypted(member), cancellationToken)
            .ConfigureAwait(false);
        var (state, reason) = Judge(answer, address);
        return new LivenessResult(member.Node, state, reason);
    }

    /// <summary>Whether a refusal at this address is proof. A loopback address counts only if it belongs to the kernel
    /// of this process.</summary>
    public bool Counts(LivenessAddress address) => settings.ProofOfDeath switch
    {
        ProofOfDeath.Loopback => address.IsLoopback && address.Kernel == _kernel,
        ProofOfDeath.SameKernelAddress => !address.IsLoopback || address.Kernel == _kernel,
        _ => false,
    };

    private (LivenessState State, string Reason) Judge(LivenessAnswer answer, LivenessAddress address) =>
        (answer, Counts(address)) switch
        {
            (LivenessAnswer.Alive, _) => (LivenessState.Alive, $"it answers at its liveness endpoint {address}"),
            (LivenessAnswer.Refused, true) =>
                (LivenessState.Dead, $"its liveness endpoint {address} refuses connections"),
            (LivenessAnswer.OtherIncarnation, true) =>
                (LivenessState.Dead, $"another life has taken over its liveness endpoint {address}"),
            (LivenessAnswer.Silent, true) =>
                (LivenessState.Alive, $"its liveness endpoint {address} is open but silent, as when it is paused"),
            (LivenessAnswer.NotTrusted, _) => (
                LivenessState.Unknown,
                $"who answers at its liveness endpoint {address} shows no certificate that is trusted here "
                + "(Glue:Client:Tls)"),
            _ =>
                (LivenessState.Unknown,
                    $"its liveness endpoint {address} answers {answer}, which proves nothing there"),
        };

    private async ValueTask<bool> IsProvenByStoreAsync(ClusterMember member, CancellationToken cancellationToken)
    {
        try
        {
            return await store.IsProvenDeadAsync(member.Node, cancellationToken).ConfigureAwait(false);
        }
        catch (ClusterStoreException)
        {
            // A store that cannot answer proves nothing. The watch loop reports that it is unreachable.
            return false;
        }
    }
}
