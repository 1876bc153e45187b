using Cluster.Slim.Errors;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Sql;

/// <summary>Writes and reads bytes of a database, which may be null: 1, or 0 for null; count; bytes.
/// Stateless.</summary>
internal static class SqlBuffer
{
    public static void Write(SlimWriter writer, bool isNull, ReadOnlySpan<byte> bytes)
    {
        writer.WriteByte(isNull ? (byte)0 : (byte)1);
        writer.WriteVar((uint)bytes.Length);
        writer.WriteBytes(bytes);
    }

    public static byte[]? Read(SlimReader reader)
    {
        var mark = reader.ReadByte();
        var count = reader.ReadCount(1);
        if (mark > 1 || (mark == 0 && count > 0))
            Throw.Malformed("Bytes of a database are neither there nor null.");
        if (mark == 0)
            return null;

        // Some of the SQL types copy the array, so the bytes are charged twice.
        reader.Charge(48 + (2L * count));
        var bytes = new byte[count];
        reader.ReadBytes(bytes);
        return bytes;
    }
}
