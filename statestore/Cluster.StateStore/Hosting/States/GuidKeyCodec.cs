namespace Cluster.StateStore.Hosting.States;

/// <summary>Guids as the sixteen bytes of <see cref="Guid.ToByteArray()"/>. Stateless.</summary>
internal sealed class GuidKeyCodec : KeyCodec<Guid>
{
    public override byte[] ToBytes(Guid key) => key.ToByteArray();
}
