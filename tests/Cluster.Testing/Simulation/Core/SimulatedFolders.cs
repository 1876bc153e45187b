using Cluster.Testing.Simulation.Nodes;

namespace Cluster.Testing.Simulation.Core;

/// <summary>The mapped folders of the machines of a run. Used by one thread.</summary>
internal sealed class SimulatedFolders
{
    private const int TakenBackMax = 8;

    private readonly Dictionary<string, SimulatedFolder> _folders = [];

    /// <summary>Opens the folder of a machine for a new life. The life before may have ended between two writes, so some
    /// of the last ones may be missing.</summary>
    public SimulatedFolder Open(SimulatedHost host)
    {
        if (!_folders.TryGetValue(host.Node.Name, out var folder))
            _folders[host.Node.Name] = folder = new SimulatedFolder(host.Meta.PartitionCount);
        for (var count = host.Random.Next(TakenBackMax); count > 0 && folder.WriteCount > 0; count--)
            folder.TakeBack();
        folder.Seal();
        return folder;
    }
}
