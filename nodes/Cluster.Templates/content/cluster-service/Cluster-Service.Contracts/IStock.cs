namespace Cluster_Service.Contracts;

/// <summary>What the service offers: a plain interface. Callers in other processes use it as if it were here.</summary>
public interface IStock
{
    /// <summary>Adds units of a product, and returns the new level.</summary>
    Task<StockLevel> AddAsync(string product, int count, CancellationToken cancellationToken = default);

    /// <summary>Takes units of a product, and returns the new level; null if there are not enough.</summary>
    Task<StockLevel?> TakeAsync(string product, int count, CancellationToken cancellationToken = default);
}
