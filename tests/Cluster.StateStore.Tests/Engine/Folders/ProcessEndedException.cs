namespace Cluster.StateStore.Tests.Engine.Folders;

/// <summary>The simulated process has ended.</summary>
internal sealed class ProcessEndedException : Exception;
