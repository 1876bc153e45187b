using Cluster.Contracts.Help;
using Cluster.Nodes.Stores;

namespace Cluster.Nodes;

/// <summary>This process could not take its place in the cluster. The message says what is wrong and, in its last
/// sentences, what to do about it: print it, without a stack trace, and exit with the code. A process that does not
/// catch this exception exits with the code by itself.</summary>
/// <param name="exitCode">The exit code for the process.</param>
/// <param name="message">What is wrong, in whole sentences.</param>
/// <param name="remedy">What to do about it, in whole sentences; becomes the end of the message.</param>
/// <param name="inner">The exception that has caused this one; null: none has.</param>
public sealed class ClusterStartException(
    ClusterExitCode exitCode, string message, string remedy, Exception? inner = null)
    : Exception($"{message} {remedy}", inner)
{
    /// <summary>The exit code for the process.</summary>
    public ClusterExitCode ExitCode { get; } = exitCode;

    /// <summary>What to do about it; also the end of the message.</summary>
    public string Remedy { get; } = remedy;

    /// <summary>The address of the heading of docs/error-catalogue.md that explains this error, unless another link was
    /// set.</summary>
    public override string? HelpLink => base.HelpLink ?? HelpPage.LinkTo(this, ExitCode);

    /// <summary>Tells what a failure of the store means for a start.</summary>
    internal static ClusterStartException From(ClusterStoreException failure, string store) => failure.Kind switch
    {
        ClusterStoreError.Denied => new(
            ClusterExitCode.StoreDenied, $"The {store} refused the credentials: {failure.Message}",
            "Correct the token, or give it the rights that the message names.", failure),
        ClusterStoreError.Incompatible => new(
            ClusterExitCode.StoreIncompatible, $"The {store} cannot be used: {failure.Message}",
            "Use another place or another cluster name, or run the version that wrote it.", failure),
        ClusterStoreError.Unusable => new(
            ClusterExitCode.StoreUnusable, $"The {store} cannot be used: {failure.Message}",
            "Choose a place that this process may write to.", failure),
        ClusterStoreError.Emptied => new(
            ClusterExitCode.StoreUnusable, $"The {store} has lost its cluster: {failure.Message}",
            "Start this process again when the store holds the cluster.", failure),
        _ => new(
            ClusterExitCode.StoreUnreachable, $"The {store} does not answer: {failure.Message}",
            "Start it, or correct its address.", failure),
    };
}
