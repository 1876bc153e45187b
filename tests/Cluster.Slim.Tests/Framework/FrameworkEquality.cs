using System.Data.SqlTypes;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Xml.Linq;
using Cluster.Slim.Types;

namespace Cluster.Slim.Tests.Framework;

/// <summary>Whether a copy of a framework value is like it, where equality of the framework does not tell.</summary>
internal static class FrameworkEquality
{
    // They are equal when they show the same array.
    private static readonly Type[] ByArray = [typeof(Memory<>), typeof(ReadOnlyMemory<>)];

    public static void Check(object source, object back)
    {
        Assert.Equal(FrameworkForms.CarriedTypeOf(source.GetType()), FrameworkForms.CarriedTypeOf(back.GetType()));
        switch (source)
        {
            case XNode node:
                Assert.True(XNode.DeepEquals(node, (XNode)back), $"{node} is not {back}");
                Assert.Equal((node as XDocument)?.Declaration?.ToString(), (back as XDocument)?.Declaration?.ToString());
                break;
            case XAttribute or XDeclaration or SqlDouble or System.Text.StringBuilder:
                Assert.Equal(source.ToString(), back.ToString());
                break;
            case JsonNode node:
                Assert.True(JsonNode.DeepEquals(node, (JsonNode)back), $"{node} is not {back}");
                break;
            case JsonElement element:
                Assert.Equal(element.ValueKind, ((JsonElement)back).ValueKind);
                if (element.ValueKind != JsonValueKind.Undefined)
                    Assert.Equal(element.GetRawText(), ((JsonElement)back).GetRawText());
                break;
            case JsonDocument document:
                Assert.Equal(document.RootElement.GetRawText(), ((JsonDocument)back).RootElement.GetRawText());
                break;
            case SqlBytes bytes:
                Assert.Equal(bytes.IsNull ? null : bytes.Value, ((SqlBytes)back).IsNull ? null : ((SqlBytes)back).Value);
                break;
            case SqlChars chars:
                Assert.Equal(chars.IsNull ? null : chars.Value, ((SqlChars)back).IsNull ? null : ((SqlChars)back).Value);
                break;
            case SqlXml xml:
                Assert.Equal(xml.IsNull ? null : xml.Value, ((SqlXml)back).IsNull ? null : ((SqlXml)back).Value);
                break;
            case Cookie cookie:
                Assert.Equal(cookie, back);
                Assert.Equal(TextOf(cookie), TextOf((Cookie)back));
                break;
            case Exception error:
                Assert.Equal((error.Message, error.HResult), (((Exception)back).Message, ((Exception)back).HResult));
                break;
            case IEnumerable items:
                Assert.Equal(items.Cast<object?>(), ((IEnumerable)back).Cast<object?>());
                break;
            default:
                CheckValue(source, back);
                break;
        }
    }

    // What does not say when it is equal is compared by the bytes it is written as, which the caller does.
    private static void CheckValue(object source, object back)
    {
        var type = source.GetType();
        var tells = type.GetMethod(nameof(Equals), [typeof(object)])!.DeclaringType is { } declaring
            && declaring != typeof(object) && declaring != typeof(ValueType);
        if (tells && !(type.IsGenericType && ByArray.Contains(type.GetGenericTypeDefinition())))
            Assert.Equal(source, back);
    }

    private static string TextOf(Cookie cookie) => string.Join(
        '|', cookie.Comment, cookie.CommentUri, cookie.Discard, cookie.Expires, cookie.HttpOnly, cookie.Port, cookie.Secure,
        cookie.Version, cookie.Value);
}
