using System.Text;

namespace Cluster.StateStore.Hosting.States;

/// <summary>Strings as UTF-8. Stateless.</summary>
internal sealed class StringKeyCodec : KeyCodec<string>
{
    private static readonly UTF8Encoding Strict = new(false, throwOnInvalidBytes: true);

    public override byte[] ToBytes(string key)
    {
        try
        {
            return Strict.GetBytes(key);
        }
        catch (EncoderFallbackException e)
        {
            // Replacing lone surrogates would give different keys the same bytes.
            throw new ArgumentException("The key is not valid text: it holds half a surrogate pair.", nameof(key), e);
        }
    }
}
