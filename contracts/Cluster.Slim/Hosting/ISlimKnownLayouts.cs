namespace Cluster.Slim.Hosting;

/// <summary>Keeps the descriptions of layouts for messages of <see cref="SlimSchema.Known"/>, which name a layout by
/// its fingerprint alone. A host carries the descriptions from process to process. Used by many threads at
/// once.</summary>
public interface ISlimKnownLayouts
{
    /// <summary>Called before the first message is complete that contains the fingerprint. It may be called several
    /// times for one layout.</summary>
    /// <param name="fingerprint">The fingerprint.</param>
    /// <param name="description">The description; never changed.</param>
    void Written(ulong fingerprint, byte[] description);

    /// <summary>Finds the description of a layout that no type of the reader has; null: it is not known. Must not
    /// wait.</summary>
    /// <param name="fingerprint">The fingerprint.</param>
    byte[]? Find(ulong fingerprint);
}
