using Cluster.Nodes.Configuration;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Liveness;

/// <summary>
/// Looks for proof that a member's process is gone: first in the cluster store, then at its life port where a
/// refusal counts. Silence is never proof. Stateless; shared by the coordinator and by a node that starts again.
/// </summary>
internal sealed class DeathExaminer(IClusterStore store, LifeProbe probe, ClusterSettings settings)
{
    private readonly string _kernel = KernelTag.Read();

    /// <summary>Judges one member.</summary>
    /// <param name="member">The member in question.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async ValueTask<LifeVerdict> ExamineAsync(ClusterMember member, CancellationToken cancellationToken)
    {
        if (await IsProvenByStoreAsync(member, cancellationToken).ConfigureAwait(false))
            return new LifeVerdict(member.Node, LifeState.Dead, $"proven by the {store.Description}");

        if (LifeAddress.Parse(member.LifeAddress) is not { } address)
            return new LifeVerdict(member.Node, LifeState.Unknown, "its life port is not known");
        var answer = await probe.AskAsync(address, member.Node, IsEncrypted(member), cancellationToken)
            .ConfigureAwait(false);
        var (state, reason) = Judge(answer, address);
        return new LifeVerdict(member.Node, state, reason);
    }

    /// <summary>Whether a refusal at this address is proof. A loopback address means this machine only if its kernel
    /// is ours.</summary>
    public bool Counts(LifeAddress address) => settings.ProofOfDeath switch
    {
        ProofOfDeath.Loopback => address.IsLoopback && address.Kernel == _kernel,
        ProofOfDeath.SameKernelAddress => !address.IsLoopback || address.Kernel == _kernel,
        _ => false,
    };

    // A life port speaks over TLS where its node does so with other nodes.
    private static bool IsEncrypted(ClusterMember member) =>
        (member.PeerAddress ?? member.Address).StartsWith(Uri.UriSchemeHttps + "://", StringComparison.Ordinal);

    private (LifeState State, string Reason) Judge(LifeAnswer answer, LifeAddress address) =>
        (answer, Counts(address)) switch
        {
            (LifeAnswer.Alive, _) => (LifeState.Alive, $"it answers at its life port {address}"),
            (LifeAnswer.Refused, true) => (LifeState.Dead, $"its life port {address} refuses connections"),
            (LifeAnswer.OtherIncarnation, true) =>
                (LifeState.Dead, $"another life has taken over its life port {address}"),
            (LifeAnswer.Silent, true) =>
                (LifeState.Alive, $"its life port {address} is open but silent, as when it is paused"),
            (LifeAnswer.NotTrusted, _) => (
                LifeState.Unknown,
                $"who answers at its life port {address} shows no certificate that is trusted here (Glue:Client:Tls)"),
            _ => (LifeState.Unknown, $"its life port {address} answers {answer}, which proves nothing there"),
        };

    private async ValueTask<bool> IsProvenByStoreAsync(ClusterMember member, CancellationToken cancellationToken)
    {
        try
        {
            return await store.IsProvenDeadAsync(member.Node, cancellationToken).ConfigureAwait(false);
        }
        catch (ClusterStoreException)
        {
            // A store that cannot answer proves nothing; the watch loop reports that it is away.
            return false;
        }
    }
}
