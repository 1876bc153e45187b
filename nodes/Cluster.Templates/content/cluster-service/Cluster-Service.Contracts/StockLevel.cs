namespace Cluster_Service.Contracts;

/// <summary>An answer of the service: any class or record. It needs no attributes.</summary>
public sealed record StockLevel(string Product, int Count);
