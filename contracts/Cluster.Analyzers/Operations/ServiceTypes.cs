using Microsoft.CodeAnalysis;

namespace Cluster.Analyzers.Operations;

/// <summary>Recognizes types whose objects are services of one process. Stateless.</summary>
internal static class ServiceTypes
{
    private static readonly HashSet<string> OfCluster =
    [
        "Cluster.StateStore.IPartitionedState`2", "Cluster.Nodes.ICluster", "Cluster.Nodes.IClusterClient`1",
        "Cluster.Glue.GlueClient", "Cluster.Pile.LocalPile",
    ];

    private static readonly HashSet<string> OfFramework =
    [
        "System.IServiceProvider", "System.TimeProvider", "System.Net.Http.HttpClient",
        "System.Net.Http.IHttpClientFactory", "System.Net.Http.HttpMessageInvoker",
    ];

    private static readonly string[] Hosting = ["Microsoft.Extensions.", "Microsoft.AspNetCore."];

    public static bool Contains(ITypeSymbol type) =>
        (SymbolNames.IsInCluster(type) && OfCluster.Contains(SymbolNames.Of(type)))
        || OfFramework.Contains(SymbolNames.Of(type))
        || (type.TypeKind == TypeKind.Interface && IsOfHosting(type));

    // The framework's interfaces for hosts are services: loggers, caches, factories, configuration, contexts.
    private static bool IsOfHosting(ITypeSymbol type) =>
        type.ContainingNamespace is { } space
        && space.ToDisplayString() + "." is var name
        && Hosting.Any(prefix => name.StartsWith(prefix, StringComparison.Ordinal))
        && Travel.TypeRefusals.IsFramework(type);
}
