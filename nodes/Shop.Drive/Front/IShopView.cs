using Shop.Drive.Supervision;

namespace Shop.Drive.Front;

/// <summary>Shows a running shop.</summary>
internal interface IShopView
{
    /// <summary>Shows the figures until the run is over.</summary>
    /// <param name="figures">Answers the newest figures.</param>
    /// <param name="control">What the viewer may do to the nodes.</param>
    /// <param name="cancellationToken">The run is over.</param>
    /// <returns>When the run is over, or when the viewer wants it to be.</returns>
    Task ShowAsync(Func<ShopFigures> figures, INodeControl control, CancellationToken cancellationToken);
}
