namespace Cluster.Pile.Hosting;

/// <summary>What a record had before another one took its place. Immutable.</summary>
/// <param name="Stamp">Its stamp.</param>
/// <param name="ValueBytes">The bytes of its value.</param>
public readonly record struct ReplacedRecord(RecordStamp Stamp, int ValueBytes);
