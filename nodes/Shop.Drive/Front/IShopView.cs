using Shop.Drive.Supervision;

namespace Shop.Drive.Front;

/// <summary>Shows a running shop.</summary>
internal interface IShopView
{
    /// <summary>Shows the figures until the run ends or the user quits.</summary>
    /// <param name="figures">Returns the newest figures.</param>
    /// <param name="control">Kills and restarts nodes for the user.</param>
    /// <param name="cancellationToken">Canceled when the run ends.</param>
    /// <returns>Completes when the run ends or the user quits.</returns>
    Task ShowAsync(Func<ShopFigures> figures, INodeControl control, CancellationToken cancellationToken);
}
