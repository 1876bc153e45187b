using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Wire;

namespace Cluster.Testing.Simulation.Core;

/// <summary>Setups that run the protocol of the cluster. Stateless.</summary>
public static class CoreSimulation
{
    /// <summary>Makes a setup with all invariants.</summary>
    /// <param name="mutant">The name of the mistake that is built in; null: none is.</param>
    /// <param name="isOnPile">Whether records lie in the tables of a pile, compared with maps at each call. Such runs
    /// take longer.</param>
    public static SimulationSetup Setup(string? mutant = null, bool isOnPile = false)
    {
        var built = mutant is null ? Mutant.None : Enum.Parse<Mutant>(mutant);
        return new SimulationSetup(() =>
        {
            var pile = isOnPile ? new SimulatedPile() : null;
            return host => new CoreNode(host, built, pile);
        })
        {
            Invariants = static () =>
            [
                .. SimulationSetup.StandardInvariants(),
                new OwnershipInvariant(), new ContentInvariant(), new MoveInvariant(), new GraceInvariant(),
            ],
            Describe = message => message.Bytes.IsEmpty
                ? null
                : FrameCodec.Read(message.Bytes, ClusterMeta.MaxPartitionCount).Frame.ToString(),
        };
    }
}
