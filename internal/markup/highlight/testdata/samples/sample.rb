#!/usr/bin/env ruby
# A comment with "quotes", it's fine
require 'json'
require_relative "lib/base"

=begin
block "comment"
=end

module App
  class User < Base
    attr_accessor :name, :age
    MAX = 1_000
    RATIO = 1.5

    def initialize(name, age: 3)
      @name = name
      @age = age
      @@count = 0
    end

    def self.create(attrs = {})
      new(attrs[:name] || 'none // "x"')
    end

    def valid?
      return false if @name.nil? || @name.empty?
      @name =~ /^[a-z"']+\/x$/i && !@age.zero?
    end

    def to_s
      "user #{@name} and #{items.map { |i| i + 1 }} # not a comment"
    end
  end
end

list = %w[one two three]
hash = { key: 'value', "str" => 1, :sym => nil }
list.each_with_index do |x, i|
  puts "#{i}: #{x}" unless x == 'it\'s'
end
text = <<~TEXT
  heredoc "text" # none
TEXT
case list.size
when 1 then puts "one"
else
  raise ArgumentError, "bad"
end
begin
  x = 10 / 2
rescue StandardError => e
  retry while x > 1
ensure
  $stdout.puts x
end
result = list.select { |s| s.length > 3 && true }.first
# Finds the "newest" release; it's cached for an hour.
class Releases
  include Enumerable
  CACHE = File.join(ENV.fetch("HOME"), ".cache/releases")

  def initialize(name, client: Client.new, limit: 10)
    @name = name
    @client = client
    @limit = limit
    @entries = nil
  end

  def each(&block)
    return enum_for(:each) unless block_given?

    entries.first(@limit).each(&block)
  end

  def newest
    found = entries.select { |entry| entry[:tag] =~ /\Av\d+(\.\d+)*\z/ }
    found.max_by { |entry| entry[:tag].split(".").map { |part| part.delete("v").to_i } }
  end

  private

  def entries
    @entries ||= begin
      text = @client.get("/repos/#{@name}/releases?per_page=#{@limit}", accept: 'application/json')
      JSON.parse(text).map do |release|
        { tag: release["tag_name"], title: release["name"] || "no title", draft: release["draft"] }
      end
    end
  rescue Client::Error => error
    warn "cannot read the releases of #{@name}: #{error.message}"
    []
  end
end

if __FILE__ == $PROGRAM_NAME
  newest = Releases.new(ARGV.first || "example/tool").newest
  puts newest ? "newest: #{newest[:tag]} (#{newest[:title]})" : 'nothing "new"'
end
puts "open
