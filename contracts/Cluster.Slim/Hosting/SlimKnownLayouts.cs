namespace Cluster.Slim.Hosting;

/// <summary>Lets a host send the descriptions of layouts apart from the messages that name them.</summary>
public static class SlimKnownLayouts
{
    /// <summary>Makes readers of messages of <see cref="SlimSchema.Known"/> look up the layouts that they do not have.
    /// With a description, such a message is read as one of <see cref="SlimSchema.Full"/>.</summary>
    /// <param name="options">The options of a serializer that is not created yet. A later call replaces the layouts of
    /// an earlier one.</param>
    /// <param name="layouts">The layouts.</param>
    public static SlimOptions UseKnownLayouts(this SlimOptions options, ISlimKnownLayouts layouts)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(layouts);
        options.KnownLayouts = layouts;
        return options;
    }
}
