namespace Cluster_Service.Contracts;

/// <summary>What nodes and clients must have in common to find each other.</summary>
public static class StockCluster
{
    /// <summary>The name of the cluster.</summary>
    public const string Name = "Cluster_Service";

    /// <summary>The configuration key of the folder in which the processes of one machine find each other.</summary>
    public const string FolderKey = "Store:Folder";

    /// <summary>The folder if the configuration names none: it belongs to the user.</summary>
    public static string DefaultFolder { get; } = Path.Combine(
        Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData), Name, "cluster");
}
