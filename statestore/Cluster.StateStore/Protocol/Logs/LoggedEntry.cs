using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Logs;

/// <summary>An encoded entry in a log or in a frame. In a frame, the bytes are valid until the frame was sent or
/// handled.</summary>
/// <param name="Id">The entry's id.</param>
/// <param name="Bytes">The entry as <see cref="LogEntryCodec"/> writes it.</param>
internal readonly record struct LoggedEntry(EntryId Id, ReadOnlyMemory<byte> Bytes);
