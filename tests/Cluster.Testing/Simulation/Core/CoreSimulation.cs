using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Wire;
using Cluster.Testing.Simulation.Clients;
using Cluster.Testing.Simulation.Faults;
using Cluster.Testing.Simulation.Network;

namespace Cluster.Testing.Simulation.Core;

/// <summary>Setups that run the protocol of the cluster. Stateless.</summary>
public static class CoreSimulation
{
    private static readonly LinkQuality SlowLink =
        new() { DelayMin = TimeSpan.FromMilliseconds(100), DelayMax = TimeSpan.FromMilliseconds(110) };

    // Small chunks of copies take long there.
    private static readonly TimeSpan SlowQuietTime = TimeSpan.FromSeconds(60);

    /// <summary>Makes a setup in which the nodes save snapshots of their partitions, and all of them crash at once.
    /// </summary>
    /// <param name="mutant">The name of the mistake that is built in; null: none is.</param>
    public static SimulationSetup SetupWithSnapshots(string? mutant = null)
    {
        var built = mutant is null ? Mutant.None : Enum.Parse<Mutant>(mutant);
        var setup = Setup(mutant);
        return setup with
        {
            NewPrograms = () =>
            {
                var disks = new SimulatedDisks();
                return host => new CoreNode(host, built, pile: null, disks: disks);
            },
            Settings = random => SimulationSettings.Draw(random) with { IsSameKernel = true },
            Faults = FaultPlan.DrawClusterCrash,
            Invariants = () => [.. setup.Invariants(), new RestorationInvariant()],
        };
    }

    /// <summary>Makes a setup in which the records of each machine outlive its programs, and nodes come back with them.
    /// </summary>
    /// <param name="mutant">The name of the mistake that is built in; null: none is.</param>
    /// <param name="count">Counts the copies; null: nobody wants to know.</param>
    public static SimulationSetup SetupWithFolders(string? mutant = null, RejoinCount? count = null)
    {
        var built = mutant is null ? Mutant.None : Enum.Parse<Mutant>(mutant);
        var setup = Setup(mutant);
        return setup with
        {
            NewPrograms = () =>
            {
                var folders = new SimulatedFolders();
                return host => new CoreNode(host, built, pile: null, folder: folders.Open(host));
            },
            Settings = random => SimulationSettings.Draw(random) with { IsSameKernel = true },
            Faults = FaultPlan.DrawCrashes,
            Invariants = () => count is null ? setup.Invariants() : [.. setup.Invariants(), count],
        };
    }

    /// <summary>Makes a setup with all invariants.</summary>
    /// <param name="mutant">The name of the mistake that is built in; null: none is.</param>
    /// <param name="isOnPile">Whether records lie in the tables of a pile, compared with maps at each call. Such runs
    /// take longer.</param>
    /// <param name="reads">How new the answers to reads must be.</param>
    /// <param name="isSparse">Whether only members with a common partition and neighbours exchange beacons, as in a
    /// large cluster.</param>
    public static SimulationSetup Setup(
        string? mutant = null,
        bool isOnPile = false,
        ReadMode reads = ReadMode.Linearizable,
        bool isSparse = false)
    {
        var built = mutant is null ? Mutant.None : Enum.Parse<Mutant>(mutant);
        return new SimulationSetup(() =>
        {
            var pile = isOnPile ? new SimulatedPile() : null;
            return host => new CoreNode(host, built, pile, isSparse);
        })
        {
            Settings = random => SettingsFor(reads, random),
            Invariants = static () =>
            [
                .. SimulationSetup.StandardInvariants(),
                new OwnershipInvariant(), new ContentInvariant(), new MoveInvariant(), new GraceInvariant(),
                new StalenessInvariant(),
            ],
            Describe = message => message.Bytes.IsEmpty
                ? null
                : FrameCodec.Read(message.Bytes, ClusterMeta.MaxPartitionCount).Frame.ToString(),
        };
    }

    // Where answers take long, the age of what they tell matters.
    private static SimulationSettings SettingsFor(ReadMode reads, SimulationRandom random)
    {
        var settings = SimulationSettings.Draw(random) with { Reads = reads };
        return reads == ReadMode.Stale && random.Chance(SimulationRandom.Million / 2)
            ? settings with { Link = SlowLink, QuietTime = SlowQuietTime }
            : settings;
    }
}
