namespace Cluster.NodeHost;

/// <summary>What the program ends with, as far as <c>ClusterExitCode</c> has no code for it. The numbers follow the BSD
/// convention.</summary>
internal static class OperatorExitCode
{
    /// <summary>Done.</summary>
    public const int Success = 0;

    /// <summary>The command line is wrong, or <c>--yes</c> is missing: nothing was changed.</summary>
    public const int Usage = 64;

    /// <summary>The exported file is damaged, or does not fit this store.</summary>
    public const int FileDamaged = 65;

    /// <summary>The file cannot be read.</summary>
    public const int FileMissing = 66;

    /// <summary>No member has this name.</summary>
    public const int NoSuchMember = 67;

    /// <summary>The file cannot be written.</summary>
    public const int FileNotWritten = 73;

    /// <summary>Somebody else changed the table too often meanwhile; try again.</summary>
    public const int Conflict = 75;

    /// <summary>The store holds a cluster already.</summary>
    public const int StoreTaken = 76;
}
